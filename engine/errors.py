"""What the engine refuses, and under which code the world is told."""

from collections.abc import Sequence

from engine.cards import Card


class EngineError(ValueError):
    """An action that makes no sense, whatever the state of the match."""

    code = "request.invalid"


class MatchOver(EngineError):
    """The match has ended; nothing more can be done in it."""

    code = "match.over"


class StaleTurn(EngineError):
    """The action names another turn, or another round's cut, than the one that is due."""

    code = "match.stale_turn"


class WrongPhase(EngineError):
    """A play while the cut is due, or a cut while plays are."""

    code = "match.wrong_phase"


class NotYourTurn(EngineError):
    """Another seat is to act."""

    code = "match.not_your_turn"


class CardNotInHand(EngineError):
    """The card that was played is not in the hand of the seat."""

    code = "match.card_not_in_hand"


class IllegalCapture(EngineError):
    """The named capture is not one that the card may take; `legal` lists those that it may."""

    code = "match.illegal_capture"

    def __init__(self, message: str, legal: Sequence[Sequence[Card]]) -> None:
        super().__init__(message)
        self.legal: list[list[Card]] = [list(cards) for cards in legal]


class RulesError(ValueError):
    """A rule set that does not exist; `field` says which part: "rules", "target", "overrides" or "seats"."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class TranscriptError(ValueError):
    """A transcript that cannot be read, breaks a rule or was not dealt fairly; the message says where."""
