"""RFC 3339 is read whole, and nothing that is none."""

from __future__ import annotations

from datetime import datetime

import pytest
from flask import Flask

from app.moments import read_rfc3339
from tests.app.people import guest, ok, refused

NOON = "2024-05-01T12:00:00"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (f"{NOON}Z", f"{NOON}+00:00"),
        ("2024-05-01t12:00:00z", f"{NOON}+00:00"),
        (f"{NOON}.5Z", f"{NOON}.500000+00:00"),
        (f"{NOON}.123456Z", f"{NOON}.123456+00:00"),
        (f"{NOON}.123456000Z", f"{NOON}.123456+00:00"),
        # What is finer than the store keeps is rounded up, or it would mean an earlier moment.
        (f"{NOON}.123456001Z", f"{NOON}.123457+00:00"),
        (f"{NOON}.999999999Z", "2024-05-01T12:00:01+00:00"),
        (f"{NOON}.{'0' * 40}1Z", f"{NOON}.000001+00:00"),
        (f"{NOON}+02:00", "2024-05-01T10:00:00+00:00"),
        (f"{NOON}-05:30", "2024-05-01T17:30:00+00:00"),
        (f"{NOON}-00:00", f"{NOON}+00:00"),
        (f"{NOON}+23:59", "2024-04-30T12:01:00+00:00"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00+00:00"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00+00:00"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999+00:00"),
        ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00+00:00"),
        ("1990-12-31T15:59:60.250-08:00", "1991-01-01T00:00:00.250000+00:00"),
    ],
)
def test_every_way_to_write_a_moment(written: str, meant: str) -> None:
    assert read_rfc3339(written) == datetime.fromisoformat(meant)


@pytest.mark.parametrize(
    "written",
    [
        "", "now", "2024-05-01", "1714564800", NOON, f"{NOON}ZZ", f" {NOON}Z", f"{NOON}Z\n", f"{NOON}.Z", f"{NOON},5Z",
        "2024-05-01 12:00:00Z", "20240501T120000Z", "2024-W18-3T12:00:00Z", "2024-122T12:00:00Z", "2024-05-01T12Z",
        "2024-05-01T12:00Z", "24-05-01T12:00:00Z", "+2024-05-01T12:00:00Z", "2024-5-1T12:00:00Z", f"{NOON} 02:00",
        f"{NOON}+02", f"{NOON}+0200", f"{NOON}+2:00", f"{NOON}+24:00", f"{NOON}+02:60", f"{NOON}−02:00",
        f"{NOON}Z[Africa/Cairo]", f"{NOON}UTC", "2024-13-01T12:00:00Z", "2024-00-01T12:00:00Z", "2024-02-30T12:00:00Z",
        "2023-02-29T12:00:00Z", "2024-05-01T24:00:00Z", "2024-05-01T12:60:00Z", "2024-05-01T12:00:61Z",
        "2024-05-01T12:00:60Z", "1990-12-31T23:59:60+02:00", "1990-12-30T23:59:60Z", "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:60Z", "9999-12-31T23:59:59-14:00", "２０２４-05-01T12:00:00Z",
        "٢٠٢٤-05-01T12:00:00Z",
    ],
)  # fmt: skip
def test_what_is_no_moment(written: str) -> None:
    with pytest.raises(ValueError):
        read_rfc3339(written)


def test_the_interface_reads_moments_so(app: Flask) -> None:
    mona = guest(app)
    for written in ("2024-05-01t12:00:00.123456789z", "1990-12-31T23:59:60Z", "2024-05-01T12:00:00%2B02:00"):
        assert ok(mona.get(f"/matches?since={written}&until={written}"))["items"] == []
    for written in ("2024-05-01T12:00:00", "2024-05-01T12:00:60Z", "2024-05-01T12:00:00+02:00"):
        problem = refused(mona.get(f"/matches?since={written}"), 422, "request.invalid")
        assert list(problem["errors"]) == ["since"]
