package handlers

import "stockroom/views"

// finishRename finishes an interrupted rename of a product.
func finishRename(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	return r.finishSteps(r.shop.FinishRename(r.ctx(), r.id()), "Rename finished.", views.ProductPath(r.id()))
}

// finishReturn finishes an interrupted return of an order.
func finishReturn(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	return r.finishSteps(r.shop.FinishReturn(r.ctx(), r.id()), "Return finished.", views.OrderPath(r.id()))
}
