"""Virtual devices that use the same pins and bytes as the real ones."""
