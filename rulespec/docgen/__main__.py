"""`python -m rulespec.docgen`: write the generated pages of a checkout anew."""

from pathlib import Path

from rulespec.docgen import diagnostics_page

Path("docs/language/diagnostics.md").write_text(diagnostics_page(), encoding="utf-8")
