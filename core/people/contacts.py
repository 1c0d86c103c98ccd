"""Masks for contact data in texts, as far as it is recognised without knowing the people. docs/contacts.md has the figures."""

import re
from collections.abc import Callable

from core.people.accounts import mask_handles, mask_mentions, mask_profiles
from core.people.emails import mask_emails
from core.people.identifiers import mask_accounts, mask_network_addresses
from core.people.numbers import mask_numbers, mask_spoken_numbers
from core.people.streets import mask_streets

MASKS = ("[user]", "[email]", "[wallet]", "[iban]", "[mac]", "[ip]", "[card]", "[ssn]", "[phone]", "[address]")

_STEPS: tuple[tuple[int, Callable[[str], str]], ...] = (
    (0, mask_profiles),
    (0, mask_emails),
    (0, mask_mentions),
    (0, mask_handles),
    (4, mask_network_addresses),
    (5, mask_accounts),
    (7, mask_numbers),
    (0, mask_spoken_numbers),
    (1, mask_streets),
)
"""What is masked in which order, and how many digits a text needs to have any."""
_DIGIT = re.compile(r"\d")


def mask_contacts(text: str) -> str:
    """Replace contact data by masks in brackets, in time linear in the text's length. Masking twice changes nothing more."""
    digits = len(_DIGIT.findall(text))
    for least, mask in _STEPS:
        if digits >= least:
            text = mask(text)
    return text


def mask_link(words: str, target: str) -> str:
    """Return what a link leaves in a text: its words, or a mask if it leads to a person's profile or mail box."""
    masked = mask_contacts(target)
    return next((mask for mask in MASKS[:2] if mask in masked), words)
