"""Rules files -> games of other libraries. Each module needs the package of its name; see docs/research.md."""
