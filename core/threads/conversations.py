"""The conversation that a post's author had with one commenter: the post, the comment, the author's reply to it, and so on."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

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
_ADVISED = r"(?:suggest|mention|recommend|point|comment|advis)(?:ed|ing)"
_ADVICE = r"(?:advice|answers?|responses|repl(?:y|ies)|suggestions?|opinions|recommendations)"
_OF_POSTS = (
    r"reddit|\bcake ?day\b|\(\s*edit\b|^disclaimer\b|\bt(?:rigger|w) (?:warning|for)\b|\bstrangers (?:on|in|from) the internet\b",
    r"\beven here\b",
    r"\b(?:in|to) the (?:comments?(?: section)?|replies)\b|\bcomment (?:below|down|here|your)\b|\bcomments section\b",
    r"\bin my (?:\w+ )?(?:post|comment|question|reply)\b|\b(?:another|a|other|last|some) thread\b",
    r"\b(?:long|short|annoying|stupid|dumb|silly|original|main|detailed|helpful|last|2nd|second|another|whole|similar|exact) "
    r"(?:post|comment|reply)\b|\bplease post\b|\b(?:thanks|thank you) (?:all|everyone|guys)\b",
    r"\b(?:best|right|another|wrong|the) sub\b",
    r"\b(?:post|ask|put|say|share)(?:ing)? (?:this|that|it) (?:here|on here|somewhere|elsewhere)\b",
    r"\bto post (?:this|that|about|on)\b",
    r"\bfeel free to (?:post|add|comment|pm|dm|share|rant|link)\b",
    r"\b(?:please|can (?:any|some)one|could you) (?:\w+ )?(?:link|comment)\b",
    r"\bif any(?:one|body)(?:['’]s| is| was)? wonder",
    r"\b(?:expect|thought|hop)\w* any(?:one|body) (?:to |would |will )?(?:read|see|repl|answer)",
    r"\b(?:link|list|article|chart|table|picture|image|photo)s? (?:\w+ )?(?:above|below|attached|provided)\b",
    r"\bread description\b",
    r"\b(?:send|put|post|drop|see|here['’]?s|have|provided) (?:you |me )?(?:the |a |that |this )?link\b|\bclick here\b",
    r"\blinked (?:here|below|above|to in|in (?:the|my|this))\b",
    r"\b(?:first|second|these|those) (?:pictures?|pics?|photos?|images?)\b",
    r"\bworded (?:\w+ )?(?:poorly|badly|weird\w*)\b|\byour (?:first|second|last|next) paragraph\b",
    r"\b(?:first|second|last) paragraph you\b",
)
"""What authors and commenters say of posts and comments, or of a link or picture that a talk does not have."""
_TO_READERS = (
    *_OF_POSTS,
    r"^\W*title\W*(?:says|\^|$)|\b(?:pretty much|basically|see|read) (?:what )?(?:the|my) (?:title|description)\b|^psa\b",
    r"\benjoy(?:ed)? reading this\b|\b(?:anyone|whoever|who(?:['’]s)?) (?:is |was )?(?:still )?reading\b",
    r"\b(?:as|like) (?:the|my) title\b|\b(?:the|my) title (?:says|states|suggests|is)\b",
    r"\bcross-?post|\bthrowaway\b|\blurk(?:er|ing|ed)?\b|\bon (?:mobile|here)\b|\bfor reading\b|\bin advance\b|\btia\b",
    r"\b(?:i|i['’](?:ve|m)|have|just|recently|already|been) (?:\w+ly )?(?:re)?post(?:ed|ing)\b",
    r"\bpost(?:ed|ing|s)? (?:it |this )?(?:on |in |to )?here\b",
    r"\b(?:first|previous|last|other|earlier|old|this|my|these) posts?\b",
    r"\b(?:see|saw|seen|read|reading) (?:\w+ ){0,3}(?:posts|threads)\b",
    r"\b(?:allowed|belongs?|asked) (?:on |in )?here\b|\b(?:right|wrong|correct|appropriate) (?:place|flair|forum)\b",
    r"\bsorry (?:for|about|if) (?:(?:the|this|my|any|it['’]?s|is|so|bad|a) )*"
    r"(?:long|length|rant|ramble|rambling|wall|english|grammar|format\w*|typos?|spelling|mistakes)\b",
    r"^(?:\w+ ){0,2}thank(?:s| you)\b(?! to\b)|\bthanks? (?:you )?(?:so much )?to (?:all|every(?:one|body)|those)\b|\[user\]",
)
"""What an author says to the readers of a post, of the post itself or of the forum. Nobody says it in a talk."""
_TO_POSTERS = (
    *_OF_POSTS,
    r"\busername|[\s(]/s\b|\b(?:i|you)(?:['’]ve)? (?:\(?\w+\)? )?posted\b|^\W*edit\b",
    r"\[user\]|\bi am a bot\b|\bmods?\b|\bcommenter",
    r"\bdms?\b|\bpm(?:['’]?(?:s|ed|ing)\b| (?:you|me)\b)|\bmessaged? (?:you|me)\b",
    r"\b(?:this|your|my|the|his|her|their) (?:above |other |top |original |\w+['’]s )?"
    r"(?:posts?|comments?|thread|username|flair|bot)\b",
    r"\b(?:everyone|everybody|people|folks|guys|others|posts?) (?:\w+ )?here\b",
    r"\b(?:above|below) (?:comment|post|said|mentioned)|\bthe other (?:comment|repl|answer)",
    r"\bothers? (?:have |has )?(?:already )?(?:said|mentioned|suggested|pointed|noted|recommended|commented)\b",
    rf"\b(?:lots of|a lot of|many|most|several|some|few|every) ?(?:people|folks|others|users|one|body) (?:have |has |are |is )?"
    rf"(?:already )?(?:said|saying|{_ADVISED}|confused)\b",
    rf"\b(?:the|all|other) (?:\w+ )?{_ADVICE} (?:(?:already|that|you(?:['’]ve)?) )*(?:here|above|below|given|got|so far)\b",
    r"\badd(?:ing)? (?:to the|another|my) .{0,40}\b(?:chorus|voice|two cents)\b",
    r"\b(?:i['’]?(?:ll|d)?|to|will) second (?:this|that|what|all|every)",
    r"\b(?:second|third|fourth|\d(?:nd|rd|th)) (?:person|one|commenter) (?:here )?(?:to|who) (?:\w+ )?"
    r"(?:say|said|bring|brought|mention|suggest|ask|point)",
    r"\bsorry (?:to|for) resurrect(?:ing)?\b",
    r"\b(?:late to|revive|reviving|resurrect(?:ing)?) (?:the|this) (?:party|thread|conversation)\b",
    r"^\W*(?:everyone|everybody) (?:else )?(?:already )?(?:said|mentioned|suggested)\b",
)
"""What a commenter or the author says of the forum, or of what somebody else has written there."""
_SUMS_UP = re.compile(r"\W*(?:tl\W{0,3}dr\b|too long\W+didn['’]?t read\b)", re.IGNORECASE)
_SAID_TO_READERS, _SAID_TO_POSTERS = (re.compile("|".join(said), re.IGNORECASE) for said in (_TO_READERS, _TO_POSTERS))
_END = (".", "!", "?", "…", ":", ";", ",", ")", '"', "”")
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
    counted = [(len(found), sorted(_count_words(found)), found) for found in list_exchanges(post, config)]
    long = [each for each in counted if each[0] >= config.min_turns or each[1][0] >= LEAST_WORDS]
    best = max(long, key=lambda each: each[:2], default=(0, [], []))[2]
    if post.linked or not told or len(best) + 1 < config.min_turns:
        return ()
    return told, *((take_comment(comment, post),) for comment in best)


def tell_post(post: CleanPost) -> tuple[Piece, ...]:
    """Return the post as speaker 1's first turn, nothing where its first sentence cannot be said in a talk.

    Nor is anything returned if only the title is left and it asks nothing. Left out are greetings, sentences that thank readers
    or speak of the post or the forum, and everything from "TL;DR" on. A title gets the full stop that it lacks, unless the text
    goes on with a small letter.
    """
    pieces: list[Piece] = []
    for place, sentence in enumerate(_leave_additions_out(post.sentences)):
        number, said = place + post.first, _leave_greeting_out(sentence)
        if speaks_of_forum(said) or _SAID_TO_READERS.search(said) or PSEUDONYM.search(said):
            if not place:
                return ()
            continue
        if not said:
            continue
        if number < 0 and not said.endswith(_END) and not "".join(post.sentences[1:2])[:1].islower():
            said += "."
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
        first, *others = _leave_additions_out(comment.sentences)
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


def _leave_additions_out(sentences: Sentences) -> Sentences:
    """Return the sentences before the first that was added later, or that sums up what was said."""
    for place, sentence in enumerate(sentences):
        if place and (adds_later(sentence) or _SUMS_UP.match(sentence)):
            return sentences[:place]
    return sentences


def _leaves_talk(sentence: str) -> bool:
    """Tell whether a comment's sentence speaks of the forum or of somebody else there."""
    return speaks_of_forum(sentence) or _SAID_TO_POSTERS.search(sentence) is not None or PSEUDONYM.search(sentence) is not None


def _count_words(exchange: Sequence[CleanComment]) -> list[int]:
    return [len(" ".join(comment.sentences).split()) for comment in exchange]


def take_comment(comment: CleanComment, post: CleanPost) -> Piece:
    """Return a whole comment as a part of a turn: of speaker 2, or of the post's author (kind `thread`)."""
    kind: PieceKind = "thread" if comment.author == post.author else "comment"
    return Piece(kind, comment.id, comment.author, 0, len(comment.sentences), comment.sentences)
