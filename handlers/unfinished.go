package handlers

import "stockroom/views"

// finishRename finishes an interrupted rename of a product.
func finishRename(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	return r.finishSteps(r.shop.FinishRename(r.ctx(), r.id()), "Rename finished.", views.ProductPath(r.id()))
}

// finishOrder finishes an interrupted cancellation or return of an order.
func finishOrder(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	err := r.shop.FinishOrder(r.ctx(), r.id())
	return r.finishSteps(err, "Change finished."+r.refundNote(err, r.id()), views.OrderPath(r.id()))
}
