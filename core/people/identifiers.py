"""Codes of a person's money and machines: IBANs, crypto wallets, IP and MAC addresses."""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_network

_LENGTHS = """
AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22
GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27
MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20
"""
_LENGTH = {entry[:2]: int(entry[2:]) for entry in _LENGTHS.split()}
"""How long the IBANs of each country are (ISO 13616)."""
_IBAN = re.compile(r"(?<![\w-])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,28}")
_WALLET = re.compile(
    r"(?<![\w/-])(?:0x[0-9a-fA-F]{40}|(?:bc1|ltc1)[02-9ac-hj-np-z]{25,60}|"
    r"(?=\w{0,33}[a-z])(?=\w{0,33}[A-Z])[13][1-9A-HJ-NP-Za-km-z]{25,34})(?![\w-])"
)
_MAC = re.compile(r"(?<![\w:.-])[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![\w:-])")
_V4 = re.compile(r"(?<![\w.,-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)")
_V6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]{3,36}[0-9A-Fa-f](?![\w:]|\.\d)")
_LOCAL = tuple(
    map(
        ip_network, ("0.0.0.0/8", "10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "224.0.0.0/3")
    )
)
_VERSIONED = re.compile(r"(?:\bv|version|firmware|build|release|driver|chrome|windows|update|section|patch)[ :]*$", re.IGNORECASE)


def mask_accounts(text: str) -> str:
    """Replace IBANs whose check digits are right, or that the text calls so, and addresses of wallets."""
    return _IBAN.sub(_mask_iban, _WALLET.sub("[wallet]", text))


def _mask_iban(match: re.Match[str]) -> str:
    letters = [place for place, character in enumerate(match[0]) if character.isalnum()]
    length = _LENGTH.get(match[0][:2].upper(), len(letters) + 1)
    if length > len(letters):
        return match[0]
    end = letters[length - 1] + 1
    code = "".join(match[0][place] for place in letters[:length]).upper()
    rest = match[0][end:]
    if rest[:1].isalnum() or (not rest and match.string[match.end() : match.end() + 1].isalnum()):
        return match[0]
    named = "iban" in match.string[max(0, match.start() - 15) : match.start()].lower()
    right = int("".join(str(int(character, 36)) for character in code[4:] + code[:4])) % 97 == 1
    return f"[iban]{rest}" if right or named else match[0]


def mask_network_addresses(text: str) -> str:
    """Replace MAC and IP addresses; local ones stay, since they tell of nobody, and so do numbers of versions."""
    if ":" in text or "-" in text:
        text = _MAC.sub(lambda match: "[mac]" if re.search("[A-Fa-f]", match[0]) else match[0], text)
    if ":" in text:
        text = _V6.sub(_mask_v6, text)
    return _V4.sub(_mask_v4, text) if text.count(".") > 2 else text


def _mask_v6(match: re.Match[str]) -> str:
    try:
        address = IPv6Address(match[0])
    except AddressValueError:
        return match[0]
    told = match[0].count(":") > 2 and re.search(r"\d", match[0]) and not (address.is_link_local or address.is_loopback)
    return "[ip]" if told else match[0]


def _mask_v4(match: re.Match[str]) -> str:
    try:
        address = IPv4Address(match[0])
    except AddressValueError:
        return match[0]
    numbers = [int(part) for part in match[0].split(".")]
    version = max(numbers) < 32 or _VERSIONED.search(match.string[max(0, match.start() - 12) : match.start()])
    return match[0] if version or any(address in network for network in _LOCAL) else "[ip]"
