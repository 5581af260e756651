package handlers

import "stockroom/views"

// finishRename finishes a rename of a product that was interrupted.
func finishRename(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	return r.finishSteps(r.shop.FinishRename(r.ctx(), r.id()), "Rename finished.", views.ProductPath(r.id()))
}

// finishReturn finishes the last return of an order that was interrupted.
func finishReturn(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	return r.finishSteps(r.shop.FinishReturn(r.ctx(), r.id()), "Return finished.", views.OrderPath(r.id()))
}
