"""`python -m companion` is the command `marrakech`."""

import sys

from companion.cli.main import main

sys.exit(main())
