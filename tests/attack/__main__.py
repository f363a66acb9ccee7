"""Runs the attack and tells how it went: `python -m tests.attack`."""

from __future__ import annotations

import argparse
import sys

from tests.attack.measure import MOST_TIMES, attack


def main() -> int:
    """Attack; returns the status to exit with."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the floods run (default: 60)")
    verdict = attack(parser.parse_args().seconds)
    print(verdict)
    return 0 if verdict.times <= MOST_TIMES else 1


if __name__ == "__main__":
    sys.exit(main())
