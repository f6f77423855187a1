"""`python -m rulespec.docgen`: write the generated pages of a checkout anew."""

from pathlib import Path

from rulespec.docgen import handbook

handbook.write_pages(Path("docs"))
