"""Credentials in URLs: found, refused with what to use instead, and hidden where a text of others is shown.

A URL is stored and shown in many places: logs, Prefect's database, catalogs, releases, the list of processes. So it is the one
place where a password must not stand. A user's name alone is none, except in http(s), where tokens are written in its place.
"""

import re
from collections.abc import Mapping

from core.errors import ConfigError

HIDDEN = "…"
"""Stands where a credential was."""

PLACES = ("FABULA_", "AWS_ENDPOINT_URL", "PREFECT_API_URL", "PREFECT_SERVER_UI_API_URL", "DASK_SCHEDULER_ADDRESS")
"""How the names of environment variables begin that hold places. Proxies are none of them: theirs is the place for a password."""

# Bounded: else a long word takes time by the square of its length. One slash is a slip for two (`https:/user:password@host`); a
# single letter before it is a drive (`C:/folder`).
_SCHEME = r"[a-z][a-z0-9+.-]{0,63}+"
_START = rf"(?:(?P<scheme>{_SCHEME})://|(?P<slip>[a-z][a-z0-9+.-]{{1,63}}+):/(?!/))"
# What follows a host's colon is a port where it is digits; what follows `::` is another URL (`zip://a.zip::s3://bucket/b.zip`).
_USER = re.compile(rf"{_START}(?P<user>[^\s/?#:\[]*)(?::(?!:|\d{{1,5}}(?:[/?#]|$))(?P<password>\S*))?@", re.IGNORECASE)
_QUERY = re.compile(
    r"(?<=[?&;#])(?P<name>x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|awsaccesskeyid|sig"
    r"|signature|(?:(?:access|auth|private|refresh|id|session|bearer|sas)[_-]?)?token|jwt|(?:x-)?api[_-]?key|subscription-key|authorization|passw(?:or)?d|pwd"
    r"|(?:client[_-]?)?secret)=(?P<value>[^\s&#;'\"<>]+)",
    re.IGNORECASE,
)
_URL = re.compile(_START, re.IGNORECASE)

_OTHER_MEANING = {"github", "git"}
"""Schemes of fsspec that write something else before the `@`: `github://owner:repository@branch/path`."""

_INSTEAD = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "s3a": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS",
    "gcs": "GOOGLE_APPLICATION_CREDENTIALS",
    "abfs": "AZURE_STORAGE_CONNECTION_STRING",
    "az": "AZURE_STORAGE_CONNECTION_STRING",
    "http": """FSSPEC_HTTP='{"client_kwargs": {"headers": {"Authorization": "…"}}}'""",
}
_INSTEAD["https"] = _INSTEAD["http"]


def refuse_credentials(value: object, place: str) -> None:
    """Refuse a value in which a URL carries a password or a token; the message never shows it.

    Args:
        value: a text, or lists and mappings of texts: an option, a setting, the parameters of a flow.
        place: what the value is, for the message: `--source`, `FABULA_STORE`, `settings, wordnet`.

    Raises:
        ConfigError: with the place, the URL without the credential, and the environment variable to use instead.
    """
    if isinstance(value, str):
        shown = hide_credentials(value)
        if shown != value:
            schemes = [_name_scheme(found).lower() for found in _URL.finditer(shown, 0, shown.index(HIDDEN))]
            raise ConfigError(
                f"{place}: {shown} carries a password or a token (here shown as {HIDDEN}). URLs are stored and logged: take it "
                f"out of the URL, and {_name_remedy(schemes[-1] if schemes else '')} instead"
            )
    elif isinstance(value, Mapping):
        for name, each in value.items():
            refuse_credentials(name, place)
            refuse_credentials(each, f"{place}, {hide_credentials(str(name))}")
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            refuse_credentials(each, place)


def refuse_in_environment(environment: Mapping[str, str]) -> None:
    """Refuse credentials in the URLs of the environment variables that fabula reads places from.

    Raises:
        ConfigError: as `refuse_credentials`, with the variable's name.
    """
    for name in sorted(environment):
        if name.startswith(PLACES):
            refuse_credentials(environment[name], name)


def hide_credentials(text: str) -> str:
    """Return a text in which the credentials of its URLs are hidden."""
    if ":/" not in text:
        return text
    text = _USER.sub(lambda found: f"{_name_scheme(found)}://{HIDDEN}@" if _is_credential(found) else found[0], text)
    return _QUERY.sub(lambda found: f"{found['name']}={HIDDEN}", text) if _URL.search(text) else text


def _name_scheme(found: re.Match[str]) -> str:
    return found["scheme"] or found["slip"]


def _is_credential(found: re.Match[str]) -> bool:
    scheme = _name_scheme(found).lower()
    if scheme in _OTHER_MEANING:
        return False
    if found["password"]:
        return True
    return bool(found["user"]) and scheme.split("+")[-1] in ("http", "https")


def _name_remedy(scheme: str) -> str:
    if scheme.startswith("mediawiki+"):
        return "name a wiki that can be read without a login"
    if variables := _INSTEAD.get(scheme):
        return f"set {variables} in the environment"
    protocol = re.sub(r"[^A-Z0-9]", "", scheme.upper()) or "PROTOCOL"
    return f"set FSSPEC_{protocol}_USERNAME and FSSPEC_{protocol}_PASSWORD in the environment"
