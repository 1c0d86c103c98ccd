"""A post made ready for the search: cleaned, filtered (section 3.1; 4.6) and cut into sentences; and why anything was dropped."""

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import regex

from core.people.pseudonyms import PSEUDONYM, UNKNOWN_AUTHOR
from core.text.sentences import SentenceSplitter
from core.text.terms import score_english
from core.threads.config import PostConfig, PrefilterConfig
from core.threads.dialogues import CleanComment, CleanPost, Sentences
from core.threads.mark_up import clean_text
from core.threads.posts import ROOT, Comment, Post

_DELETED = re.compile(r"\W*(?:deleted|removed|unavailable)(?:\s+by\s+\w+)?\W*", re.IGNORECASE)
_URL = re.compile(
    r"https?://|\bwww\.|(?<![\w.-])(?:[\w-]++\.)+(?:com|org|net|edu|gov|io|me|gl|ly|be|co|uk|de)(?:/|\b(?!\.\w))", re.IGNORECASE
)
_ADDRESS = re.compile(r"(?:https?://|\bwww\.)\S+")
_CUT_ADDRESS = re.compile(r"\s*[(\[<]?(?:https?://|\bwww\.|(?<![\w.-])(?:[\w-]++\.)+[a-z]{2,6}/)[^\s)\]>]*[)\]>]?", re.IGNORECASE)
_LEAST_BESIDE = 30
"""The fewest words, addresses not counted, with which a text stays if all its sentences have addresses."""
_ABOUT = r"(?:this|my|any of (?:this|my)|these)\b(?: (?:information|info|posts?|story|stories|text|content|thread|details))?"
_TAKE = r"(?:re-?|cross-?)?(?:use|share|post|publish|copy|quote|screenshot|narrate|reproduce|scrape|distribute)"
_FORBIDS = re.compile(
    rf"(?:^|[.!?;:,(]\s*|\b(?:please|and|but|so)\s+)(?:do not|don['’]?t|never)\s+{_TAKE}\s+{_ABOUT}"
    r"(?:\s*(?:[.!)]|$)|\s+(?:\w+ )?(?:anywhere|elsewhere|outside|on (?:youtube|tiktok|twitter|facebook|instagram|other)|"
    r"(?:in|for) (?:a|any|your) (?:\w+ )?(?:articles?|videos?|papers?|datasets?|stud(?:y|ies))|without|to train))|"
    rf"\bi (?:do not|don['’]?t) (?:give|grant|consent)\b[^.!?]{{0,40}}\b(?:this|my (?:post|story))\b[^.!?]{{0,30}}\b{_TAKE}d?\b|"
    r"\b(?:this|my) (?:post|story|text|content|information) (?:is not to|may not|must not|cannot) be (?:\w+ )?"
    r"(?:used|shared|(?:re)?posted|(?:re)?published|copied|quoted|reproduced)\b",
    re.IGNORECASE,
)
"""An author's words that what they wrote may not be used elsewhere."""
_LATIN_HONOURS = re.compile(r"\bcum (?=laude\b)", re.IGNORECASE)
_INVALID = regex.compile(r"[\p{Co}\p{Cn}\uFFFD]|(?![\n\r\t\x7f])\p{Cc}")
_LETTER, _LATIN = regex.compile(r"\p{L}"), regex.compile(r"\p{Latin}")
_LEAST_LETTERS = 6
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ODD = re.compile(r"[^a-zA-Z\s.,?!'’\"-]")
_STUTTER = re.compile(r"(.)\1\1")
_MOST_TITLE = 300
_STARTER_TITLE = re.compile(
    r"\b(?:simple questions|mega-?thread|(?:daily|weekly|fortnightly|monthly|quarterly)\b.*\b(?:thread|discussion|questions?|"
    r"chat|check-?in|faq|recommendations?|post)|(?:discussion|recommendation|chat|questions?|free talk|open) thread|"
    r"what are you (?:reading|watching|playing)|(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday) "
    r"(?:thread|discussion|questions?)|ask me anything|ama)\b",
    re.IGNORECASE,
)
_STARTER_TEXT = re.compile(
    r"\b(?:welcome (?:readers|everyone|to (?:our|the|this))|this thread|use this (?:post|thread)|"
    r"post (?:your|them) (?:here|below)|in the comments|previous (?:threads?|posts?)|will be removed|rules? (?:of|for) this|"
    r"thread (?:is|for)|sticky|moderators?)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b\W*(?:\d{1,2}\W*)?\d{4}\b|"
    r"\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b",
    re.IGNORECASE,
)
_VULGAR_WORDS = """
arse arsehole ass asses asshat asshole assholes bastard bastards bitch bitches bitching bitchy blowjob bollocks boner boobs
bullshit clit cock cocks cocksucker crap crappy cum cumming cunt cunts dick dickhead dicks dildo dumbass dyke fag faggot
faggots fags fap fuck fucked fucker fuckers fuckin fucking fucks fuckup goddamn handjob hentai horseshit jackass jerkoff jizz
kike masturbate masturbating masturbation milf motherfucker motherfuckers motherfucking nigga niggas nigger niggers orgasm
pedo piss pissed pissing porn pornhub prick pussies pussy rape raped rapist retard retarded retards shit shite shitpost
shitposting shits shitshow shittiest shitting shitty slut sluts slutty spic stfu tits titties tranny twat twats wank wanker
wankers whore whores wtf
"""
VULGAR = frozenset(_VULGAR_WORDS.split())
"""Vulgar words, in lower case. The list is our own: docs/threads.md says why."""
_SIGNS = {"@": "[a-z]", "$": "s", "0": "o", "1": "[il]", "3": "e", "!": "i", "*": "[a-z]", "#": "[a-z]"}
_SPELLED = re.compile(r"(?<![\w@$*#!])[a-z$@](?=[a-z]*[@$*#!013])[a-z@$*#!013]*[a-z@$*#013]", re.IGNORECASE)
"""A word with signs or digits in place of letters; a `!` at its end is punctuation."""


RateStarter = Callable[[Post], float]
"""Rates how much a post only invites discussion, 0 to 1: `score_starter`, or a trained classifier."""


@dataclass(frozen=True, slots=True)
class TextMarks:
    """What is measured of one text. `english` is None where it has too few words to be judged."""

    words: int
    sentences: int
    english: float | None
    deleted: bool
    refused: bool
    invalid: int
    urls: int
    vulgar: tuple[str, ...]
    quality: float


@dataclass(frozen=True, slots=True)
class StarterMarks:
    """Features of a post that only invites discussion: title and text speak of a thread, a date in its title, its author."""

    title: bool
    text: bool
    date: bool
    moderator: bool


def measure_text(raw: str, sentences: Sequence[str], config: PrefilterConfig) -> TextMarks:
    """Measure a text: `raw` as it came (NFC), `sentences` cleaned. Takes time linear in its length."""
    cleaned = _ADDRESS.sub(" ", _LATIN_HONOURS.sub("", " ".join(sentences)))  # an address is no sign of another language
    if "author-" in cleaned:
        cleaned = PSEUDONYM.sub("Somebody", cleaned)  # a person is one word
    words = _WORD.findall(cleaned)
    plain = unicodedata.normalize("NFKC", cleaned)  # mathematical letters, which some write for bold, are letters
    share, total = score_english([plain])
    vulgar = (VULGAR | set(config.vulgar_words)) - set(config.allowed_words)
    return TextMarks(
        words=len(words),
        sentences=len(sentences),
        english=0.0 if _is_foreign(plain) else share if total >= config.min_judged_words else None,
        deleted=_DELETED.fullmatch(raw.strip()) is not None,
        refused=any(_FORBIDS.search(sentence) for sentence in sentences),
        invalid=len(_INVALID.findall(raw)),
        urls=len(_URL.findall(raw)),
        vulgar=tuple(sorted(({word.lower() for word in words} & vulgar) | find_spelled(raw, vulgar))),
        quality=score_quality(cleaned, words),
    )


def _is_foreign(text: str) -> bool:
    """Tell whether most letters of a text are of another script: languages without blanks have too few words to be judged."""
    letters, latin = len(_LETTER.findall(text)), len(_LATIN.findall(text))
    return letters >= _LEAST_LETTERS and 2 * latin < letters


def find_spelled(text: str, words: Collection[str]) -> set[str]:
    """Return the words that stand in a text with signs for letters: `s**t` and `f@ck`, with any letter for a star."""
    spelled = {found.lower() for found in _SPELLED.findall(text)}
    patterns = [re.compile("".join(_SIGNS.get(letter, letter) for letter in word)) for word in spelled]
    return {word for pattern in patterns for word in words if pattern.fullmatch(word)}


def score_quality(text: str, words: Collection[str]) -> float:
    """Return how much a text looks like written language, 0 to 1: the share of letters and blanks times that of usual words.

    A word is unusual if a letter stands in it three times in a row, or if it is longer than 30 letters, or is all capitals in a
    text of more than five words that is mostly capitals.
    """
    if not text or not words:
        return 0.0
    plain = (len(text) - sum(not letter.isalpha() for letter in _ODD.findall(text))) / len(text)
    shouted = len(words) > 5 and sum(word.isupper() and len(word) > 1 for word in words) > len(words) / 2
    usual = sum(not (shouted and word.isupper()) and len(word) <= 30 and _STUTTER.search(word) is None for word in words)
    return plain * usual / len(words)


def find_starter_marks(post: Post) -> StarterMarks:
    """Return the marks of a post that only invites discussion."""
    return StarterMarks(
        title=_STARTER_TITLE.search(post.title[:_MOST_TITLE]) is not None,
        text=len(_STARTER_TEXT.findall(post.text)) >= 2,
        date=_DATE.search(post.title) is not None,
        moderator=post.moderated,
    )


def score_starter(post: Post) -> float:
    """Return how much a post only invites discussion, 0 to 1: a half each for title and author, a quarter for text and date.

    Reference: thesis, section 4.6: "Simple Questions: February 22, 2022. Welcome readers".
    """
    marks = find_starter_marks(post)
    return min(0.5 * marks.title + 0.25 * marks.text + 0.25 * marks.date + 0.5 * marks.moderator, 1.0)


def judge_text(marks: TextMarks, config: PrefilterConfig, min_words: int) -> str | None:
    """Return the first filter of section 3.1 that drops a text, None if it stays."""
    if marks.deleted:
        return "deleted"
    if marks.refused:
        return "its author forbids its use"
    if marks.english is not None and marks.english < config.min_english:
        return "language"
    if marks.invalid:
        return "invalid characters"
    if marks.urls:
        return "url"
    if marks.vulgar and config.vulgar == "drop":
        return "vulgar"
    if marks.words < min_words:
        return "too short"
    return "language quality" if marks.quality < config.min_quality else None


def judge_post(
    post: Post, title: TextMarks, text: TextMarks, config: PrefilterConfig, rate_starter: RateStarter = score_starter
) -> str | None:
    """Return why a post is dropped, None if it stays. `title` and `text` are the marks of its two parts."""
    forum = post.forum.casefold()
    if forum in {name.casefold() for name in config.denied_forums}:
        return "forum"
    if config.forums and forum not in {name.casefold() for name in config.forums}:
        return "forum"
    if not post.is_text:
        return "no text post"
    if post.over_18 and config.over_18 == "drop":
        return "over 18"
    if rate_starter(post) >= config.starter_threshold:
        return "discussion starter"
    if not post.text.strip():
        return "title only"
    if reason := judge_text(text, config, config.min_post_words):
        return reason
    if text.sentences < config.min_post_sentences:
        return "title only"
    return judge_text(title, config, 1) if title.words else None


_ADDED = re.compile(r"\W*(?:edit|eta|update)\s*\d*\s*(?:[^\w\s]|$)", re.IGNORECASE)
_BROKEN_LINE = re.compile(r"(?<=[a-z0-9,'’])[ \t]*+\n[ \t]*+(?=[a-z])(?!i\b|https?:|www\.|[a-z][.):])")
"""A line break inside a sentence: no end mark stands before it, and a small letter after it.

An entry of a list, "i" and an address begin anew."""
MOST_KEPT = 2_000
"""Characters of a dropped text that are kept."""
DropKind = Literal["post", "comment", "dialogue"]


@dataclass(frozen=True, slots=True)
class Drop:
    """What was dropped, and why. The id of a comment is that of its post, `_`, and its own.

    `text` is what the filter saw, without names and addresses; "" where its author has taken it back or forbids its use.
    `authors` are the pseudonyms of who wrote it, by which it is found if one of them is taken down later. `value` is what the
    filter measured, None where it measured nothing.
    """

    id: str
    kind: DropKind
    reason: str
    text: str = ""
    authors: tuple[str, ...] = ()
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A post ready for the search, None where it was dropped; and everything that was dropped of it."""

    post: CleanPost | None
    drops: tuple[Drop, ...]


def prepare_post(
    post: Post,
    filters: PrefilterConfig,
    cut: PostConfig,
    split: SentenceSplitter,
    rate_starter: RateStarter = score_starter,
) -> Prepared:
    """Clean, filter and cut a post and its comments.

    Top-level comments may reply to the post, but for those of its own author; deeper ones serve threading.

    Reference: thesis, section 3.1; appendix A for the cut at characters and sentences.
    """
    title = cut_sentences(post.title, split)
    text, marks = _measure_left(post.text, cut_sentences(post.text, split, cut.lines), filters)
    headed = measure_text(post.title, title, filters)
    if reason := judge_post(post, headed, marks, filters, rate_starter):
        judged = marks if judge_text(marks, filters, filters.min_post_words) == reason else headed
        return Prepared(None, (_drop(post, reason, (*title, *text), judged, rate_starter(post)),))
    whole = (*((" ".join(title),) if title and cut.title == "sentence" else ()), *text)
    said = limit_sentences(whole, cut)
    if not said:
        return Prepared(None, (_drop(post, "first sentence too long", whole, marks),))
    drops = [Drop(f"{post.id}_{name}", "comment", reason) for name, reason in post.lost]
    if post.unlisted:
        drops.append(Drop(f"{post.id}_more", "comment", f"{post.unlisted} comments that the page does not list"))
    replies: list[CleanComment] = []
    threads: list[CleanComment] = []
    for comment in post.comments:
        clean = _prepare_comment(comment, post, filters, cut, split)
        if isinstance(clean, Drop):
            drops.append(clean)
        else:
            (threads if comment.parent else replies).append(clean)
    if not replies:
        return Prepared(None, (*drops, _drop(post, "no replies", whole, marks)))
    first = -1 if title and cut.title == "sentence" else 0
    author = post.author or UNKNOWN_AUTHOR
    heading, unsaid = " ".join(title), whole[len(said) :]
    ready = CleanPost(
        post.id, post.forum, heading, author, said, first, tuple(replies), tuple(threads), unsaid, has_address(post.text)
    )
    return Prepared(ready, tuple(drops))


def _drop(
    dropped: Post | Comment, reason: str, sentences: Sequence[str], marks: TextMarks, starts: float | None = None, of: str = ""
) -> Drop:
    """Return what is said of a post, or of a comment `of` a post, that a filter leaves out."""
    values = {
        "language": marks.english,
        "url": marks.urls,
        "vulgar": len(marks.vulgar),
        "too short": marks.words,
        "language quality": marks.quality,
        "discussion starter": starts,
        "first sentence too long": len(sentences[0]) if sentences else None,
    }
    value = values.get(reason)
    text = "" if reason in ("deleted", "its author forbids its use") else " ".join(sentences)[:MOST_KEPT]
    kind: DropKind = "comment" if of else "post"
    name = f"{of}_{dropped.id}" if of else dropped.id
    authors = (dropped.author,) if dropped.author else ()
    return Drop(name, kind, reason, text, authors, None if value is None else float(value))


def cut_sentences(text: str, split: SentenceSplitter, lines: Literal["join", "break"] = "break") -> Sentences:
    """Return the sentences of a text, cleaned. No sentence stands on two lines, unless a broken one is joined (`lines`)."""
    if lines == "join":
        text = _BROKEN_LINE.sub(" ", text)
    return tuple(sentence for line in clean_text(text).split("\n") for sentence in split(line))


def adds_later(sentence: str) -> bool:
    """Tell whether a sentence begins what its author added later ("Edit: …")."""
    return _ADDED.match(sentence) is not None


def has_address(text: str) -> bool:
    """Tell whether an address stands in a text."""
    return _URL.search(text) is not None


def leave_addresses_out(sentences: Sentences) -> Sentences:
    """Return the sentences without an address in them, and without those that only announce one ("Look here:")."""
    cut = [_URL.search(sentence) is not None for sentence in sentences]
    announced = [sentence.endswith(":") and gone for sentence, gone in zip(sentences, [*cut[1:], False], strict=True)]
    return tuple(sentence for sentence, *gone in zip(sentences, cut, announced, strict=True) if not any(gone))


def cut_addresses(sentences: Sentences) -> Sentences:
    """Return the sentences without their addresses, none where fewer than 30 words are left; a site's mere name stays."""
    left = tuple(re.sub(":$", ".", cut) for each in sentences if (cut := _CUT_ADDRESS.sub("", each).strip()))
    return left if len(_WORD.findall(" ".join(left))) >= _LEAST_BESIDE else ()


def limit_sentences(sentences: Sequence[str], cut: PostConfig) -> Sentences:
    """Return the first sentences, as many as the limits allow (appendix A), without later additions."""
    kept: list[str] = []
    length = 0
    for sentence in sentences[: cut.max_sentences]:
        length += len(sentence)
        if length > cut.max_characters or (cut.edits == "cut" and kept and adds_later(sentence)):
            break
        kept.append(sentence)
    return tuple(kept)


def _measure_left(raw: str, sentences: Sentences, filters: PrefilterConfig) -> tuple[Sentences, TextMarks]:
    """Return the sentences of a text, without those that have an address unless nothing else is left, and the marks of them."""
    marks = measure_text(raw, sentences, filters)
    if filters.urls == "cut" and marks.urls and (left := leave_addresses_out(sentences) or cut_addresses(sentences)):
        return left, replace(measure_text(raw, left, filters), urls=0, refused=marks.refused)
    return sentences, marks


def _prepare_comment(
    comment: Comment, post: Post, filters: PrefilterConfig, cut: PostConfig, split: SentenceSplitter
) -> CleanComment | Drop:
    """Return a comment ready for the search, or why it is none. A short one may serve threading."""
    sentences, marks = _measure_left(comment.text, cut_sentences(comment.text, split, cut.lines), filters)
    least = filters.min_comment_words if comment.parent == ROOT else 1
    is_own = comment.parent == ROOT and comment.author is not None and comment.author == post.author
    if reason := judge_text(marks, filters, least) or ("by the post's author" if is_own else None):
        return _drop(comment, reason, sentences, marks, of=post.id)
    return CleanComment(comment.id, comment.parent, comment.author or UNKNOWN_AUTHOR, sentences, has_address(comment.text))
