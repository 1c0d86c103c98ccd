"""Telephone numbers, and the numbers of cards and of US social security.

A run of digits is judged by its form, by the words before it, and by Google's metadata of telephone numbers (`phonenumbers`).
"""

import re
from functools import lru_cache
from itertools import pairwise

_ADDRESS = r"(?:https?://|www\.|doi\.org/)[^\s]{1,2000}+"
_RUN = re.compile(
    rf"{_ADDRESS}|(?<![\w.,/@#$€£¥+-])(\+?\(?\d++(?:[ .()/‐‑–-]{{1,3}}\d++)*+)"
    r"(?:,?[ ]?(?:ext|x|extension|durchwahl)\.?[ ]?\d{1,5})?"
    r"(?!\w|[.,]\d|[-/]\w|[ ]?[€%])",
    re.IGNORECASE,
)
_GROUP = re.compile(r"\d+")
_CALLED = re.compile(
    r"\b(?:phones?|telephone|cell|mobile|call(?:s|ed|ing)?|text(?:ed)?|tel|ring|dial|whats ?app|hmu|reach|sms|fax|landline|"
    r"voice ?mail|my digits|handy|ruf\w*|anruf\w*|telefon\w*|appel\w*|tél\w*|ll[aá]ma\w*|móvil|cellulare|cel|celular|zap|ligue|"
    r"bel|mobiel|gsm|"
    r"zadzwoń|komórk\w+|звони\w*|тел\w*|ring\w*)(?![\w\]])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\b(?:numbers?|nr|nummer|numéro|número|numero|numer|номер)(?![\w\]])", re.IGNORECASE)
_COUNTED = re.compile(
    r"(?:\b(?:order|invoice|isbn|issn|serial|ticket|tracking|sku|case|model|part|version|build|scored?|vin|doi|arxiv|catalogu?e|item|"
    r"code|file|id|bug|room|chapter|pages?|pp|population|year|years|unix time|timestamp|commit|hash|"
    r"lottery|isrc|upc|ean|patent)\b|#|№)",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"[^\d\]]{0,40}\Z")
_DATE = re.compile(
    r"(?:19|20)\d\d[ ./‐‑–-]{1,3}(?:(?:19|20)\d\d|[01]?\d[ ./‐‑–-][0-3]?\d)\b|[0-3]?\d[./-][0-3]?\d[./-](?:19|20)?\d\d\b|"
    r"[0-2]\d[0-5]\d ?[-–] ?[0-2]\d[0-5]\d\Z"
)
_FREE = re.compile(r"\(?0(?:800|808)(?:\D|\d{6})")
_STAMP = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_NATIONAL = ("US", "GB", "DE", "FR", "IT", "NL", "AU", "JP", "KR", "SE", "CH", "AT", "ZA", "NZ", "IE", "BE", "CN", "IN", "TR")
"""Countries whose national numbers are taken for telephone numbers without a word that says so."""
_BRAZIL = re.compile(r"\(\d\d\) ?9?\d{4}-\d{4}")
_CHINA = re.compile(r"1[3-9]\d[ -]\d{4}[ -]\d{4}")
_NORTH_AMERICA = re.compile(r"(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .‐‑–-])\d{3}[ .‐‑–-]\d{4}")
_SSN = re.compile(r"(?!000|666|9)\d{3}([ -])(?!00)\d\d\1(?!0000)\d{4}")
_CARD = re.compile(r"(?:4|5[1-5]|2[2-7]|3[0-9]|6[0-9])")
_CARD_GROUPS = {(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3)}
_SPOKEN_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "oh")
_DIGIT_WORDS = {word: digit % 10 for digit, word in enumerate(_SPOKEN_DIGITS)}
_SPOKEN_DIGIT = f"(?:{'|'.join(_SPOKEN_DIGITS)})"
_SPOKEN = re.compile(rf"(?<![\w-])(?:{_SPOKEN_DIGIT}[ ,.-]{{1,2}}){{6,14}}{_SPOKEN_DIGIT}(?![\w-])", re.IGNORECASE)


def mask_numbers(text: str) -> str:
    """Replace telephone numbers, and the numbers of cards and of US social security."""
    return _RUN.sub(_mask_run, text)


def _find_context(match: re.Match[str]) -> str:
    """Return the words before a match, up to another number or mask."""
    before = _BEFORE.search(match.string, max(0, match.start() - 40), match.start())
    return before[0] if before is not None else ""


def _mask_run(match: re.Match[str]) -> str:
    run = match[1]
    if run is None:
        return match[0]
    context = _find_context(match)
    if mask := classify_number(run, context):
        return mask
    groups = list(_GROUP.finditer(run))
    for count in range(min(len(groups) - 1, 8), 0, -1):  # a number with others behind it: `4111 1111 1111 1111 12/26`
        part = run[: groups[count - 1].end()]
        if run[len(part)] == " " and (mask := classify_number(part, context, whole=False)):
            return mask + match[0][len(part) :]
    return match[0]


def classify_number(run: str, context: str, whole: bool = True) -> str:
    """Return the mask of a run of digits, "" for a number that tells of nobody; `context` is what stands before it.

    Only numbers of a marked form are looked for in a run that has more digits (not `whole`).
    """
    digits = "".join(_GROUP.findall(run))
    if not 7 <= len(digits) <= 19:
        return ""
    called = _CALLED.search(context) is not None
    counted = not called and _COUNTED.search(context) is not None
    if not counted and len(digits) >= 13 and _is_card(digits, tuple(map(len, _GROUP.findall(run)))):
        return "[card]"
    social = _SSN.fullmatch(run)
    if social and (social[1] == "-" or re.search(r"ssn|social", context, re.IGNORECASE)):
        return "[ssn]"
    if len(digits) > 15 or (counted and not run.startswith("+")):
        return ""
    return "[phone]" if _is_phone(run, digits, called or (whole and _NUMBER.search(context) is not None), whole) else ""


def _is_card(digits: str, groups: tuple[int, ...]) -> bool:
    """Tell whether the digits are grouped as on a card and pass Luhn's check (ISO/IEC 7812)."""
    if (len(groups) > 1 and groups not in _CARD_GROUPS) or not _CARD.match(digits) or len(set(digits)) == 1:
        return False
    odd, even = digits[-1::-2], digits[-2::-2]
    return (sum(map(int, odd)) + sum(sum(divmod(2 * int(digit), 10)) for digit in even)) % 10 == 0


def _is_phone(run: str, digits: str, called: bool, whole: bool) -> bool:
    if run.startswith("+") or digits.startswith("00"):
        return _is_international(digits.removeprefix("00"))
    if _DATE.match(run):
        return False
    if _FREE.match(run) or _is_public(digits):
        return False
    if _NORTH_AMERICA.fullmatch(run):
        return "-" in run or called or _is_national(digits, ("US",))
    if not whole:
        return False
    if called:
        return not _STAMP.match(digits)
    groups = _GROUP.findall(run)
    if len(groups) == 1:
        national = ("US",) if len(digits) in {10, 11} and digits[0] != "0" and not _STAMP.match(digits) else ()
        return _is_national(digits, national) or (
            digits[0] == "0" and len(digits) >= 10 and _is_national(digits, _NATIONAL, True)
        )
    if _BRAZIL.fullmatch(run) or _CHINA.fullmatch(run):
        return True
    formed = len(groups) <= 4 or [len(group) for group in groups] == [2] * 5
    return digits[0] == "0" and 9 <= len(digits) <= 12 and formed and 2 <= len(groups[0]) <= 5 and _is_national(digits, _NATIONAL)


def _is_international(digits: str) -> bool:
    from phonenumbers import NumberParseException, is_possible_number, parse

    try:
        return is_possible_number(parse(f"+{digits}"))
    except NumberParseException:
        return False


@lru_cache(10_000)
def _list_types(digits: str, regions: tuple[str, ...]) -> tuple[int, ...]:
    """Return the types of a number in the regions where it is valid."""
    from phonenumbers import NumberParseException, PhoneNumberType, number_type, parse

    types = []
    for region in regions:
        try:
            types.append(number_type(parse(digits, region)))
        except NumberParseException:
            continue
    return tuple(found for found in types if found != PhoneNumberType.UNKNOWN)


def _is_national(digits: str, regions: tuple[str, ...], mobile: bool = False) -> bool:
    types = _list_types(digits, regions)
    return 1 in types or 2 in types if mobile else bool(types)


def _is_public(digits: str) -> bool:
    """Tell whether a number costs the caller nothing or a fee: a hotline, and nobody's own number."""
    from phonenumbers import PhoneNumberType

    if digits[0] == "0" and _is_national(digits, _NATIONAL, mobile=True):
        return False
    types = _list_types(digits, ("GB",) if digits[0] == "0" else ("US",))
    return bool({PhoneNumberType.TOLL_FREE, PhoneNumberType.PREMIUM_RATE, PhoneNumberType.SHARED_COST}.intersection(types))


def mask_spoken_numbers(text: str) -> str:
    """Replace telephone numbers in words, digit by digit, behind a word such as "call": people say dice and codes so too."""
    lower = text.lower()
    return _SPOKEN.sub(_mask_spoken, text) if sum(word in lower for word in _DIGIT_WORDS) > 2 else text


def _mask_spoken(match: re.Match[str]) -> str:
    context = _find_context(match)
    if _CALLED.search(context) is None and _NUMBER.search(context) is None:
        return match[0]
    digits = [_DIGIT_WORDS[word] for word in re.findall(r"[a-z]+", match[0].lower())]
    steps = {after - before for before, after in pairwise(digits)}
    return match[0] if len(steps) == 1 or len(set(digits)) < 3 else "[phone]"
