"""The command line as ``python -m focuseval``."""

import sys

from focuseval.cli import main

sys.exit(main())
