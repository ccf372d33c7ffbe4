"""`python3 -m companion.install install`, without ./marrakech."""

import sys

from companion.install.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
