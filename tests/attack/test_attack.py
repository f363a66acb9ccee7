"""The attack in short: the minute-long one is `python -m tests.attack`."""

from __future__ import annotations

import pytest

from tests.attack.measure import MOST_TIMES, attack

SECONDS = 12.0

pytestmark = pytest.mark.long


def test_nobody_can_stop_the_table() -> None:
    verdict = attack(SECONDS)
    print(verdict)
    # Each flood was there, and was answered as it should be.
    ended = ("bodies without end", "slow heads", "chunks of one byte", "50 GB", "empty frames", "fragments", "pings")
    assert all(verdict.floods.get(f"{name}: ended", 0) > 0 for name in ended), verdict.floods
    for what in ("channels: taken", "channels: refused", "wrong codes: 404", "rooms by many tokens: 409"):
        assert verdict.floods.get(what, 0) > 0, verdict.floods
    assert " ERROR " not in verdict.log
    assert "Traceback" not in verdict.log
    assert verdict.times <= MOST_TIMES, verdict
