"""`python -m rulespec`."""

import sys

from rulespec.cli import main

sys.exit(main())
