"""Masks for contact data in texts: mentions of users, e-mail addresses, telephone numbers."""

import re

_USER = re.compile(r"(?<![\w/])/?u/[A-Za-z0-9_-]{2,40}", re.IGNORECASE)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}\b")
_PHONE = re.compile(
    r"(?<![\w.,/-])(?:\+\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,5}\d{2,4}|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})(?![\w-]|[.,]\d)"
)
MASKS = ("[user]", "[email]", "[phone]")


def mask_contacts(text: str) -> str:
    """Replace mentions of users, e-mail addresses and telephone numbers."""
    return _PHONE.sub(MASKS[2], _EMAIL.sub(MASKS[1], _USER.sub(MASKS[0], text)))
