"""Writes the document's examples from the answers of a real evening: `python -m tests.examples`."""

from __future__ import annotations

import json

from app.api.document import EXAMPLES
from tests.examples.story import tell


def main() -> None:
    """Write `app/schemas/examples.json` anew."""
    EXAMPLES.write_text(json.dumps(tell(), ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
