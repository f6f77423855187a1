"""The fast engine: it writes WebAssembly from rules, byte by byte, and needs no other program for it."""
