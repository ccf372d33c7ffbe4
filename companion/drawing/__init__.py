"""Pictures of the market and of the LEDs over it."""
