"""What other gateways ask before they call a model: their messages as candidates, and rulings as their answer."""
