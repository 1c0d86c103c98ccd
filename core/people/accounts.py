"""People's accounts: mentions (`u/name`, `@name`), addresses of profiles, and handles that a text tells (`my discord is …`)."""

import re

_NAME = r"[A-Za-z0-9_-]{3,40}"
_MENTION = re.compile(
    rf"(?:(?<!\w)/{{0,2}}r/u_|(?:(?<!\w)/{{0,2}}|(?<=\w)/)u/|(?<!\w)/user/){_NAME}(?:/u/{_NAME})*"
    rf"|(?<![\w/])u/[ ](?=\S{{0,40}}[\d_]){_NAME}",
    re.IGNORECASE,
)
_MENTION_LINK = re.compile(rf"\[[^\]\[\n]{{0,300}}\]\(/?(?:u|user)/{_NAME}/?\)", re.IGNORECASE)
_AT = re.compile(r"(?<![\w@+/-])@(?![\d.]+[a-z]{0,3}\b)(_?[^\W_](?:[\w-]|\.(?=[\w]))*+)(?:@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})?")
_NO_NAMES = """
home work school night noon midnight least most first last here everyone all channel once the a my his her their our your me him
them us you it this that these those any some each every property staticmethod classmethod dataclass override overload abstract
test param return returns throws author see since deprecated media import charset keyframes include suppresswarnings autowired
nullable bean component
"""
_NOT_NAMES = frozenset(_NO_NAMES.split())

_PATH = r"[^\s<>\"')\]\[]{1,2000}+"
_RESERVED = (
    r"(?!(?:search|home|hashtag|explore|p|reels?|tv|stories|events?|groups?|pages|watch|features|about|login|signup|i|intent|"
    r"share|sharer|settings|help|privacy|tos|terms|marketplace|topics?|trending|pricing|sponsors|orgs|directory|videos?|photos?|"
    r"policies|jobs|business|ads|legal|notifications|discover|collections|enterprise|security|downloads?|photo\.php|sharer\.php)"
    r"(?:[/?#.,\s]|$))"
)
_PROFILE = re.compile(
    rf"""
    (?:\[[^\]\[\n]{{0,300}}\]\()?(?<![\w.-])(?:https?://)?(?:[a-z]{{1,12}}\.)?
    (?: reddit\.com/(?:u/|user/|r/u_)
      | (?:twitter|x|instagram|facebook|fb|github|gitlab|twitch|venmo|patreon|onlyfans|ko-fi|soundcloud|myspace|threads|tumblr)
        \.(?:com|tv|net|me)/@?{_RESERVED}
      | (?:t|telegram|fb|paypal|wa|m)\.me/ | linktr\.ee/ | linkedin\.com/(?:in|pub)/ | snapchat\.com/add/ | keybase\.io/
      | (?:tiktok|youtube|medium|threads)\.(?:com|net)/@ | youtube\.com/(?:user|c|channel)/ | discord\.gg/
      | discord(?:app)?\.com/(?:invite|users)/ | steamcommunity\.com/(?:id|profiles)/ | cash\.app/ | bsky\.app/profile/
      | goodreads\.com/user/ | last\.fm/user/ | open\.spotify\.com/user/ | [\w-]{{1,63}}\.[a-z]{{2,24}}/@
    ){_PATH}(?<![.,;:!?])\)?
    """,
    re.IGNORECASE | re.VERBOSE,
)

_PLATFORM = (
    r"(?:discord|telegram|tg|insta(?:gram)?|ig|snap(?:chat)?|kik|skype|psn|xbox|xbl|gamertag|steam|twitch|tiktok|twitter|whatsapp|"
    r"wechat|viber|icq|line[ ]id|signal|venmo|cash[ ]?app|paypal|facebook|fb|github|mastodon|bluesky|bsky|tumblr|"
    r"battle\.?net|ign)"
)
_HANDLE = re.compile(
    rf"""(?<![\w\[@/.]){_PLATFORM}(?![\w\]/])(?:'s)?(?:[ ](?:name|id|user(?:name)?|handle|tag|account|me))?
    ([ ]?[:=][ ]?|[ ][-–][ ]|,?[ ](?:is|it'?s|its|as|at|@|under)[ ]|[ ])
    (?:(?:is|it's|its|at|as)[ ])?[@$]?(\w(?:[\w.:-]{{0,31}}\w)?+(?:\#\d{{4}})?)(?![\w\]])(?=([ ]*(?:$|[\n,;.)!?]))?)""",
    re.IGNORECASE | re.VERBOSE,
)
_LOOK = re.compile(r"(?=.*[^\W\d])(?!\d+[a-z]{1,3}$)(?=.{5})(?:.*[\d_#]|[a-z]+(?:\.[a-z]+)+$|.*[a-z][A-Z])")
_TAG = re.compile(r"(?<![\w#.])(\w[\w.]{1,31})#\d{4}(?![\w-])")
_COUNTED = """
issue issues pr ticket bug order case page item number room apt track unit no suite model part invoice
"""
_TAGGED = frozenset(_COUNTED.split())
_PLAIN_WORDS = """
yes no ok good bad nice down up free dead gone fine private public broken same none nothing everyone here there great awful
terrible dope lol active closed open available unknown blocked deleted off on new old mine yours it that this better worse
"""
_PLAIN = frozenset(_PLAIN_WORDS.split())


_HOST_ENDS = (".com/", ".me/", ".gg/", ".tv/", ".net/", ".ee/", ".io/", ".app/", ".fm/", "/@")
_PLATFORMS = (
    "discord", "telegram", " tg", "(tg", "insta", " ig", "(ig", "snap", "kik", "skype", "psn", "xb", "gamertag", "steam", "twit",
    "tiktok",
    "whatsapp", "wechat", "viber", "icq", "line id", "signal", "venmo", "cash", "paypal", "fb", "facebook", "github", "mastodon",
    "bluesky", "bsky", "tumblr", "battle",
)  # fmt: skip


def mask_profiles(text: str) -> str:
    """Replace addresses of people's profiles, also as the target of a Markdown link, with the link's words."""
    if "/" not in text:
        return text
    lower = text.lower()
    return _PROFILE.sub("[user]", text) if any(end in lower for end in _HOST_ENDS) else text


def mask_mentions(text: str) -> str:
    """Replace mentions of users."""
    lower = text.lower() if "/" in text else ""
    if "u/" in lower or "/user/" in lower or "r/u_" in lower:
        text = _MENTION.sub("[user]", _MENTION_LINK.sub("[user]", text))
    return _AT.sub(_mask_at, text) if "@" in text else text


def _mask_at(match: re.Match[str]) -> str:
    name = match[1].lower()
    domain = name.endswith((".com", ".edu", ".org", ".net"))  # of mail addresses, as in `an @example.edu address`
    return match[0] if name in _NOT_NAMES or len(name) < 3 or domain else "[user]"


def mask_handles(text: str) -> str:
    """Replace handles that stand behind the name of a platform, and Discord's names with a number."""
    if "#" in text:
        text = _TAG.sub(lambda match: match[0] if match[1].lower() in _TAGGED else "[user]", text)
    lower = " " + text.lower().replace("\n", " ")
    return _HANDLE.sub(_mask_handle, text) if any(name in lower for name in _PLATFORMS) else text


def _mask_handle(match: re.Match[str]) -> str:
    between, handle, alone = match.groups()
    named = ":" in between and alone is not None and len(handle) > 3 and handle.isalpha() and handle.lower() not in _PLAIN
    start = match.start(2) - match.start()
    return f"{match[0][:start].rstrip('@$')}[user]" if named or _LOOK.match(handle) else match[0]
