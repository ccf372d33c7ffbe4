"""The tests in `inside` run in the test kernel only: `python -P tests/kernel/run_in_kernel.py`."""

from __future__ import annotations

import os

collect_ignore = [] if "MARRAKECH_IN_TEST_KERNEL" in os.environ else ["inside"]
