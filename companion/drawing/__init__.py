"""Pictures of the table as a person sees it: the market, and the LEDs shining over it."""
