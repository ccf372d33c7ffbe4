"""The checks of `marrakech doctor`."""
