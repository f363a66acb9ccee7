"""The bodies and queries of those who run the service. They are in no public document: nobody else learns of them."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from app.schemas.fields import Moment, Name, QueryInt, Text
from app.schemas.requests import PageQuery

REASON_MOST = 500
# Longer than any id, code or network; what is none is not there.
NAMED_MOST = 64
STATUSES = ("open", "handled", "all")
KINDS = ("ban", "mute")


class Why(Schema):
    """Why something is decided; it stands on the audit trail."""

    reason = Text(required=True, validate=validate.Length(1, REASON_MOST))


class Sanction(Why):
    """A ban or a mute of a player."""

    until = Moment(required=True)


class Network(Why):
    """What is in force for an address or a range."""

    network = Text(required=True, validate=validate.Length(1, NAMED_MOST))
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))


class NewNetwork(Network):
    """A ban or a mute of an address or a range."""

    until = Moment(required=True)


class Rename(Why):
    """Another name for a player; left out, a neutral one."""

    name = Name(allow_none=True, load_default=None)


class ReportsQuery(PageQuery):
    """Which reports."""

    status = fields.String(load_default="open", validate=validate.OneOf(STATUSES))


class PlayersQuery(Schema):
    """Which players."""

    text = Text(required=True, validate=validate.Length(1, NAMED_MOST))


class CrowdsQuery(Schema):
    """How many accounts at one address are many, and since when."""

    days = QueryInt(load_default=1, validate=validate.Range(1, 7))
    least = QueryInt(load_default=20, validate=validate.Range(1, 100_000))


class TrailQuery(PageQuery):
    """Which decisions."""

    subject = Text(load_default=None, validate=validate.Length(1, NAMED_MOST))
