"""Hardware adapters: GPIO, SPI and serial port, and virtual devices in their place."""
