"""The fast engine: it compiles rules to WebAssembly, byte by byte, without any other compiler."""
