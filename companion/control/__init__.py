"""The control socket: protocol, server, client and snapshot."""
