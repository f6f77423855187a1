"""Files of rules as games of other libraries. Each module needs the package that it is for; docs/research.md says how."""
