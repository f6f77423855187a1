"""`python -m rulespec` runs the command `rulespec`."""

import sys

from rulespec.cli import main

sys.exit(main())
