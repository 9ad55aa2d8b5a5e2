"""``python -m focuseval``: the command line."""

import sys

from focuseval.cli import main

sys.exit(main())
