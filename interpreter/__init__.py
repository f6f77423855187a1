"""The engine that plays checked rules. It is built next; see interpreter/README.md."""
