"""Virtual devices that answer to the same pins and bytes as the real ones."""
