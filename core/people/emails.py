"""E-mail addresses, also those written so that programs do not find them: `name (at) host (dot) com`, `name at host dot com`."""

import re

_HOSTS = r"(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])"
_PLAIN = re.compile(
    rf"(?<![\w.+'-])[\w.+'-]{{1,64}}@(?:{_HOSTS}|(?i:gmail|googlemail|yahoo|hotmail|outlook|icloud|aol|gmx|proton(?:mail)?)\b)"
)
_AT = r"[\[({<][ ]?(?:at|ät|@)[ ]?[\])}>]"
_BRACKETED_AT = re.compile(_AT, re.IGNORECASE)
_DOT = r"(?:\.|[ ]?[\[({<][ ]?(?:dot|punkt|\.)[ ]?[\])}>][ ]?|[ ]dot[ ])"
_BRACKETED = re.compile(
    rf"(?<![\w.+-])[\w.+-]{{1,64}}[ ]?{_AT}[ ]?[\w-]{{1,63}}(?:{_DOT}[\w-]{{2,63}}){{1,4}}(?![\w-])",
    re.IGNORECASE,
)
_SPELLED = re.compile(
    r"(?<![\w.+-])([\w.+-]{2,64})[ ]at[ ][\w-]{2,63}(?:[ ]dot[ ][\w-]{2,63}){0,3}[ ]dot[ ][a-z]{2,6}(?![\w-])", re.IGNORECASE
)
_WORDS = """
me you him her it us them one all this that these those here there up down out over on in off is are was were be been being am
look looked looking looks available shop shopped buy bought sell sold find found work works worked working stay live lives lived
order ordered mail email contact reach see seen read watch meet met only not book books back again more stuff deal deals cheap
"""
_USUAL = frozenset(_WORDS.split())
"""Words before `at example dot com` that are no part of an address."""


def mask_emails(text: str) -> str:
    """Replace e-mail addresses."""
    if "@" in text:
        text = _PLAIN.sub("[email]", text)
    if _BRACKETED_AT.search(text):
        text = _BRACKETED.sub("[email]", text)
    if " dot " in text.lower():
        text = _SPELLED.sub(lambda match: match[0] if match[1].lower() in _USUAL else "[email]", text)
    return text
