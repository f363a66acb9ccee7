"""Who guesses: at the codes of rooms, and at passwords. Counted by who guesses, and never so that a neighbour pays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from flask import Flask, request
from werkzeug.exceptions import MethodNotAllowed

from app import auth
from app.addresses import address
from app.config import settings
from app.extensions import db
from app.limits import (
    BY_ACCOUNT,
    BY_ACCOUNT_HERE,
    BY_ADDRESS,
    BY_DEVICE,
    BY_GUESTS,
    BY_NOBODY,
    BY_PLAYER,
    SIGN_INS,
    Charge,
    View,
    give_back,
    ledger,
    moves,
    noted,
    player_key,
    refuse_as,
    spend,
)
from app.paces import Standing, Window
from app.services import devices, rooms, usernames
from app.services.errors import Refusal
from app.services.times import utcnow

_IN_A_ROOM = re.compile(r"/api/v1/rooms/([^/]+)(?:/|$)")

ROOM_CODES = Window("unknown-room", most=20, span_s=60)
# Far above, of an address: what its guests have guessed wrong together, and what those have who name nobody.
ROOM_CODES_OF_GUESTS = Window("unknown-room-guests", most=300, span_s=60)
ROOM_CODES_OF_NOBODY = Window("unknown-room-address", most=300, span_s=60)
HAS_GUESSED = Window("has-guessed", most=1, span_s=3600)

FAILED_HERE = Window("failed-try", most=10, span_s=300)
FAILED_ANYWHERE = Window("failed-try-anywhere", most=60, span_s=60)
FAILED_ON_DEVICE = Window("failed-try-device", most=10, span_s=300)
# What says that somebody is not who they said.
FAILURES = frozenset({"auth.required", "account.wrong_password"})


def init_app(app: Flask) -> None:
    """Count also the guesses that no view sees."""
    app.before_request(_count_wrong_methods)


def room_codes(view: View) -> View:
    """Count the codes of rooms that do not exist, and let nobody go on guessing."""

    @wraps(view)
    def limited(*args: Any, **view_args: Any) -> Any:
        code = _room_code()
        if code is None or not settings().rate_limits:
            return view(*args, **view_args)
        _refuse_guessing(code)
        try:
            return view(*args, **view_args)
        except Refusal as refused:
            if refused.code == "not_found":
                _count_if_unknown(code)
            raise

    return noted(
        limited,
        view,
        (ROOM_CODES, BY_PLAYER),
        (ROOM_CODES_OF_GUESTS, BY_GUESTS),
        (ROOM_CODES_OF_NOBODY, BY_NOBODY),
    )


def sign_ins(view: View) -> View:
    """Note at a view that signs in by a name what `tries_of` limits there, once the name is read."""
    return noted(
        moves(view),
        view,
        (SIGN_INS.own, BY_DEVICE),
        (SIGN_INS.shared, BY_ADDRESS),
        (FAILED_ON_DEVICE, BY_DEVICE),
        (FAILED_HERE, BY_ACCOUNT_HERE),
        (FAILED_ANYWHERE, BY_ACCOUNT),
    )


def passwords(view: View) -> View:
    """Note at a view that asks a player for their password what `tries_of` limits there."""
    return noted(view, view, (FAILED_HERE, BY_ACCOUNT_HERE), (FAILED_ANYWHERE, BY_ACCOUNT))


@contextmanager
def sign_in_of(username: str) -> Iterator[None]:
    """Count a try to sign in: on a device that has signed in to this account before by the device, else by address."""
    if not settings().rate_limits:
        yield
        return
    device = devices.known(username, auth.device())
    spend([(SIGN_INS.shared, address()) if device is None else (SIGN_INS.own, f"device:{device}")])
    with tries_of(username, device):
        yield


@contextmanager
def tries_of(account: str, device: str | None = None) -> Iterator[None]:
    """Count the failed tries to prove to be somebody, and let nobody go on guessing their password.

    From one address few are let through in a few minutes. Those from everywhere are counted too, but only for a
    minute: many strangers together must not keep the owner out for long, a single one not at all, and none of them
    one who has a device that the account knows, for that has a count of its own.
    """
    if not settings().rate_limits:
        yield
        return
    name = usernames.fold(account)
    strangers: list[Charge] = [(FAILED_HERE, f"{name} {address()}"), (FAILED_ANYWHERE, name)]
    wanted: list[Charge] = strangers if device is None else [(FAILED_ON_DEVICE, device)]
    spent: list[Charge] = []
    try:
        # Before it is known how it ends: many tries at once are many tries.
        for charge in wanted:
            refuse_as(charge[0], ledger().spend(*charge))
            spent.append(charge)
        yield
    except Exception as error:
        if not isinstance(error, Refusal) or error.code not in FAILURES:
            give_back(spent)
        raise
    give_back(spent)
    ledger().forget(*spent[0])


def _count_wrong_methods() -> None:
    """No view sees them, and still 404 or 405 tells whether the room exists."""
    code = _room_code()
    if code is not None and isinstance(request.routing_exception, MethodNotAllowed) and settings().rate_limits:
        _refuse_guessing(code)
        _count_if_unknown(code)


def _room_code() -> str | None:
    found = _IN_A_ROOM.match(request.path)
    return found[1] if found else None


def _refuse_guessing(code: str) -> None:
    """Refuse whoever has guessed too often, except where they sit; their neighbours have counts of their own."""
    for pace, key in _guesses():
        wait_s = ledger().wait_s(pace, key)
        if wait_s > 0 and (pace is not ROOM_CODES_OF_GUESTS or _may_be_one_of_many()) and not _sits_in(code):
            refuse_as(pace, Standing(wait_s, 0, wait_s))


def _guesses() -> list[Charge]:
    """Where a wrong code of the current request is counted."""
    caller = auth.visitor()
    if caller is None:
        return [(ROOM_CODES_OF_NOBODY, address())]
    own: Charge = (ROOM_CODES, player_key(caller))
    return [own, (ROOM_CODES_OF_GUESTS, address())] if caller.guest else [own]


def _may_be_one_of_many() -> bool:
    """Whether a guest may have been made to guess for another, where an address's guests have guessed too often.

    Those have guessed themselves, or came only since it was too often; whoever was there before and has not is a
    neighbour.
    """
    caller = auth.visitor()
    if caller is None:
        return False
    too_often_since_s = ledger().last_spent_s(ROOM_CODES_OF_GUESTS, address())
    came_since = (utcnow() - caller.since).total_seconds() < too_often_since_s
    return came_since or ledger().wait_s(HAS_GUESSED, player_key(caller)) > 0


def _sits_in(code: str) -> bool:
    calling = auth.identify(unsafe=False)
    if calling is None:
        return False
    try:
        rooms.own_seat(db.session(), code, calling.player_id)
    except Refusal:
        return False
    return True


def _count_if_unknown(code: str) -> None:
    try:
        rooms.room_json(code)
    except Refusal:
        caller = auth.visitor()
        once: list[Charge] = [] if caller is None else [(HAS_GUESSED, player_key(caller))]
        for charge in (*_guesses(), *once):
            ledger().spend(*charge, always=True)
