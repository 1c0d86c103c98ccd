"""The conversation that a post's author had with one commenter: the post, the comment, the author's reply to it, and so on."""

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from core.people.pseudonyms import PSEUDONYM, UNKNOWN_AUTHOR
from core.threads.config import SearchConfig
from core.threads.dialogues import CleanComment, CleanPost, Piece, PieceKind, Sentences, speaks_of_forum
from core.threads.posts import ROOT
from core.threads.preparing import adds_later
from core.threads.search import count_foreknown, list_untold, list_word_stems

_ADDRESSED = r"(?:,? (?:there|again|all|guys|everyone|everybody|folks|friends|people))+\b"
_CALLED = r"(?: (?!(?:i|so|my|this|we|the|or|just|that['’]s)\b)[\w/'’]+){0,3}(?=[,!:]|\.$|\s[–—-])"  # "Hello fellow bakers,"
_HELLO = r"(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))\b(?!-\w)"
_GREETING = re.compile(rf"{_HELLO}(?:{_ADDRESSED}|{_CALLED})[\s,.!:;–—-]*(?::?\)\s*)?", re.IGNORECASE)
_OF_POSTS = (
    r"reddit|\bcake ?day\b|\(\s*edit\b|^disclaimer\b|\bt(?:rigger|w) (?:warning|for)\b|\bread description\b",
    r"\beven here\b|\b(?:strangers|randoms) (?:on|in) (?:the )?internet\b|\b(?:best|right|the|wrong) sub\b",
    r"\bthis board\b|\bthese forums\b|\bin the comments\b|\b(?:a|another) thread\b|\bin my (?:\w+ )?(?:comment|question|reply)\b",
    r"\b(?:2nd|annoying|another|helpful|long|main|original|short|similar|stupid|whole) (?:post|comment|reply)\b",
    r"\b(?:please|can anyone|could you) (?:\w+ )?(?:post|link|comment)\b|\b(?:thanks|thank you) (?:all|everyone|guys)\b",
    r"\b(?:post|put|share)(?:ing)? (?:this|it) (?:here|somewhere)\b|\bto post (?:this|about)\b|\bpost (?:an update|something)\b",
    r"\bposts\b|\b(?:made|make|write|wrote|left|leave|on) an? (?:post|comment)\b|\btime to (?:comment|reply)\b",
    r"\bfeel free to (?:post|add|comment|pm|dm|share|link)\b",
    r"\bif any(?:one|body) (?:is|was) wonder|\bexpect\w* any(?:one|body) to read",
    r"\b(?:link|list)s? (?:\w+ )?(?:above|below|provided)\b|\bclick here\b|\blinked (?:in|to in)\b",
    r"\b(?:send|put|post|drop|see|here['’]?s|have) (?:you |me )?(?:the |a |that |this )?link\b",
    r"\b(?:mis)?read the title\b|\bworded (?:\w+ )?poorly\b|\byour (?:second|last) paragraph\b|\blast paragraph you\b",
)
"""What authors and commenters say of posts and comments, or of a link that a talk does not have."""
_TO_READERS = (
    *_OF_POSTS,
    r"^\W*title\W*(?:says|$)|\b(?:pretty much|basically|see|like) (?:what )?(?:the|my) (?:title|description)\b|^psa\b",
    r"\b(?:the|my) title (?:says|suggests|is)\b|\bthrowaway\b|\blurk(?:er|ing)\b|\bon (?:mobile|here)\b",
    r"\bfor reading\b|\bin advance\b|\btia\b|\benjoy reading this\b|\bwho is reading\b",
    r"\b(?:i|i['’]ve|have|just|recently|already|been) (?:\w+ly )?(?:re)?post(?:ed|ing)\b|\bpost(?:ed|ing)? (?:on )?here\b",
    r"\b(?:first|previous|other|old|this|my) post\b|\b(?:right|wrong|correct) (?:place|flair|forum)\b",
    r"\b(?:allowed|belongs?) (?:on |in )?here\b|\b(?:ask|any(?:one|body)|some(?:one|body)) (?:\w+ )?here\b",
    r"\byou (?:guys\b|all\b(?! (?:about|along|day|night|of|that|the|this)\b))|\by['’]?all(?:['’]?s)?\b|\bas a community\b",
    r"\bsorry (?:for|about|if) (?:(?:the|this|my|any|is|bad) )*(?:long|rant|ramble|rambling|wall|english|mistakes)\b",
    r"^(?:\w+ ){0,2}thank(?:s| you)\b(?! to\b)|\bthanks? (?:you )?(?:so much )?to (?:all|every(?:one|body))\b|\[user\]",
)
"""What an author says to the readers of a post, of the post itself or of the forum. Nobody says it in a talk."""
_TO_POSTERS = (
    *_OF_POSTS,
    r"\busername|[\s(]/s\b|\b(?:i|you)(?:['’]ve)? (?:\(?\w+\)? )?posted\b|^\W*edit\b",
    r"\[user\]|\bi am a bot\b|\bmods?\b|\bcommenter",
    r"\bdms?\b|\bpm(?:['’]?(?:s|ed|ing)\b| (?:you|me)\b)|\bmessaged? (?:you|me)\b",
    r"\b(?:this|your|my|the|his|her|their) (?:other |top |initial |original |first |previous |last |earlier |old |\w+['’]s )?"
    r"(?:posts?|comments?|thread|flair|bot)\b",
    r"\b(?:everyone|people|guys|others|posts?) (?:\w+ )?here\b|\babove (?:post|mentioned)|\bthe other answer",
    r"\bothers? (?:have )?(?:already )?(?:said|mentioned|pointed|noted)\b",
    r"\b(?:lots of|a lot of|many|most|several|some|every) ?(?:people|one|body) (?:have |is )?(?:already )?"
    r"(?:said|saying|confused|(?:suggest|mention|point|comment|advis)(?:ed|ing))\b",
    r"\b(?:the|all|other) (?:\w+ )?(?:advice|answers?|responses|suggestions?) (?:(?:already|you) )*(?:here|given|got)\b",
    r"\b(?:i|to) second (?:this|that|what)\b|\badd(?:ing)? (?:to the|another) .{0,40}\b(?:chorus|voice)\b|\banother vote\b",
    r"\b(?:said|mentioned|wrote) above\b|\b(?:second|third) person (?:here )?to\b|\bsorry to resurrect\b|\blate to the party\b",
)
"""What a commenter or the author says of the forum, or of what somebody else has written there."""
_SUMS_UP = re.compile(r"\W*(?:tl\W{0,3}dr\b|too long\W+didn['’]?t read\b)", re.IGNORECASE)
_SAID_TO_READERS, _SAID_TO_POSTERS = (re.compile("|".join(said), re.IGNORECASE) for said in (_TO_READERS, _TO_POSTERS))
_SIGNATURE = re.compile(r"(?:[\w'’.-]+ ){0,3}[\w'’-]+")
"""What a writer puts below his comments, where two of them end on it: at most four words, without an end mark."""
LEAST_WORDS = 6
_BY_CHANCE = 1  # words that a comment may share with what was cut off


@lru_cache(maxsize=1024)
def tell_conversation(post: CleanPost, config: SearchConfig) -> tuple[tuple[Piece, ...], ...]:
    """Return the turns of the longest conversation that the post's author had with one commenter; none if all are too short.

    Speaker 1 is the author: he says the post, then his replies. Speaker 2 is the commenter. Every turn but the first is a whole
    comment, which was written as the reply to the turn before it. A conversation of just the least turns has `LEAST_WORDS` words
    in each, or it would say little. For the same reason, of equally long ones the one is taken whose shortest comment is longest.
    A post with an address has none: readers are to follow it, and speak of what lies there.
    It is asked for twice: for what is embedded together, and for the dialogue.
    """
    told = tell_post(post)
    counted = [
        (len(found), sorted(len(" ".join(comment.sentences).split()) for comment in found), found)
        for found in list_exchanges(post, config)
    ]
    long = [each for each in counted if each[0] >= config.min_turns or each[1][0] >= LEAST_WORDS]
    best = max(long, key=lambda each: each[:2], default=(0, [], []))[2]
    if post.linked or not told or len(best) + 1 < config.min_turns:
        return ()
    return told, *((take_comment(comment, post),) for comment in best)


def tell_post(post: CleanPost) -> tuple[Piece, ...]:
    """Return the post as speaker 1's first turn, nothing where its first sentence cannot be said in a talk.

    Nor is anything returned if only the title is left and it asks nothing. Left out are greetings, sentences that thank readers
    or speak of the post or the forum, and everything from "TL;DR" on.
    """
    pieces: list[Piece] = []
    for place, sentence in enumerate(_end_lines(_leave_additions_out(post.sentences))):
        number, said = place + post.first, _leave_greeting_out(sentence)
        if speaks_of_forum(said) or _SAID_TO_READERS.search(said) or PSEUDONYM.search(said):
            if not place:
                return ()
            continue
        if not said:
            continue
        if pieces and pieces[-1].stop == number:
            pieces[-1] = replace(pieces[-1], stop=number + 1, sentences=(*pieces[-1].sentences, said))
        else:
            pieces.append(Piece("post", post.id, post.author, number, number + 1, (said,)))
    return tuple(pieces) if any(piece.stop > 0 or piece.sentences[-1].endswith("?") for piece in pieces) else ()


def list_exchanges(post: CleanPost, config: SearchConfig) -> list[list[CleanComment]]:
    """Return for each comment on the post the longest exchange of its writer and the post's author that begins with it.

    Exchanges of fewer than the least turns, the post among them, are left out.
    An exchange ends before a comment that cannot be said in a talk: it speaks of the forum or of somebody else there, has an
    address or more than `max_comment_sentences` sentences, or is the commenter's and has two words that the post has only where
    it was cut off. An author whom the source does not name is nobody.
    """
    untold = list_untold(post.sentences, post.unsaid)[-1]
    comments = (*post.replies[: config.max_comments], *post.threads)
    ends = Counter((comment.author, comment.sentences[-1]) for comment in comments)
    known = {comment.id: comment for comment in comments}
    rests: dict[str, list[CleanComment]] = {}
    begun: list[list[CleanComment]] = []
    for comment in reversed(comments):  # each comment's parent stands before it
        own, rest, parent = comment.author == post.author, rests.pop(comment.id, []), known.get(comment.parent)
        if comment.parent == ROOT:  # the words are looked at last: it takes the most time
            fits = len(rest) + 2 >= config.min_turns
        else:
            asker = known.get(parent.parent) if parent is not None else None
            fits = parent is not None and (
                parent.author != post.author if own else asker is not None and asker.author == comment.author
            )
        if not fits or comment.linked or comment.author == UNKNOWN_AUTHOR:
            continue
        whole = _leave_calls_out(comment.sentences, parent.author if parent is not None else post.author)
        if len(whole) > 1 and ends[comment.author, whole[-1]] > 1 and _SIGNATURE.fullmatch(whole[-1]):
            whole = whole[:-1]
        if not whole:
            continue
        first, *others = _end_lines(_leave_additions_out(whole))
        said = (_leave_greeting_out(first) or first, *others)
        if len(said) > config.max_comment_sentences or any(map(_leaves_talk, said)):
            continue
        if not own and count_foreknown(list_word_stems(said), untold) > _BY_CHANCE:
            continue
        exchange = [replace(comment, sentences=said), *rest]
        if parent is None:
            begun.append(exchange)
        elif len(exchange) >= len(rests.get(parent.id, [])):  # of equally long ones the first
            rests[parent.id] = exchange
    return begun[::-1]


def _leave_greeting_out(sentence: str) -> str:
    """Return a sentence without the greeting that it begins with."""
    if greeted := _GREETING.match(sentence):
        rest = sentence[greeted.end() :]
        return rest[:1].upper() + rest[1:]
    return sentence


def _leave_calls_out(sentences: Sentences, name: str) -> Sentences:
    """Return sentences without the name of him who is spoken to, where it only calls him: "@Anna look", "Thanks, Anna!"."""
    if not any(name in sentence for sentence in sentences):
        return sentences
    call = re.compile(
        rf"^(?:(?:{_HELLO} )?@?{name}(?:\s*[,:;!.–—-]+\s*|$)|@{name}\s+)|\s*,\s*@?{name}(?=\s*(?:[,.!?…]|$))", re.IGNORECASE
    )
    left = [(sentence, call.sub("", sentence)) for sentence in sentences]
    return tuple(said if said == sentence else said[0].upper() + said[1:] for sentence, said in left if said)


def _leave_additions_out(sentences: Sentences) -> Sentences:
    """Return the sentences before the first that was added later, or that sums up what was said."""
    for place, sentence in enumerate(sentences):
        if place and (adds_later(sentence) or _SUMS_UP.match(sentence)):
            return sentences[:place]
    return sentences


def _end_lines(sentences: Sentences) -> Sentences:
    """Return sentences, each with the full stop that it lacks (a title, an item of a list), unless the next one goes on."""
    ended = (f"{said}." if said[-1:].isalnum() and not after[:1].islower() else said for said, after in pairwise(sentences))
    return (*ended, *sentences[-1:])


def _leaves_talk(sentence: str) -> bool:
    """Tell whether a comment's sentence speaks of the forum or of somebody else there."""
    return speaks_of_forum(sentence) or _SAID_TO_POSTERS.search(sentence) is not None or PSEUDONYM.search(sentence) is not None


def take_comment(comment: CleanComment, post: CleanPost) -> Piece:
    """Return a whole comment as a part of a turn: of speaker 2, or of the post's author (kind `thread`)."""
    kind: PieceKind = "thread" if comment.author == post.author else "comment"
    return Piece(kind, comment.id, comment.author, 0, len(comment.sentences), comment.sentences)
