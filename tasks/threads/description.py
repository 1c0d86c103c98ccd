"""What the card says of releases of `threads`."""

from core.dataset.card import COMMON_COLUMNS, FORUMS, Description

DESCRIPTION = Description(
    about="A row is a dialogue of two speakers that was put together from a forum post and its comments: the speakers never "
    "talked to each other in this order.",
    task="text-generation",
    languages=("en",),
    columns=COMMON_COLUMNS
    | {
        "id": "the post, and the number of the dialogue or comment",
        "title": "title of the post",
        "post": "the post: the same as `unit`",
        "forum": "the forum that the post is from",
        "topic": "topic of the forum; the forum itself where the settings name none",
        "pieces": "where each part of each turn comes from: post or comment, its author's pseudonym, its sentences",
        "authors": "pseudonyms of the authors",
        "scores": "how well each turn answers the one before, by the scorer",
        "coherence": "coherence of the whole dialogue, by which the least coherent are left out",
        "messages": "the dialogue in the form that chat models read",
        "kind": "what was left out: a post, a comment or a dialogue",
    },
    lacks={
        "summary": "nobody has summed these dialogues up. A post's title is the nearest thing, and stands in `title`; with the "
        'setting `post.title = "summary"` it is not part of the dialogue, so that a model may be trained to write it'
    },
    leakage="A post and all of its comments are in one split. Of a text that was posted several times, one post is kept.",
    citation=FORUMS,
    faults=("Post and comments are by several people, but each dialogue has two speakers: a speaker may contradict itself.",),
)

REASON_SETTINGS = {
    "language": ("prefilter.min_english",),
    "vulgar": ("prefilter.vulgar",),
    "over 18": ("prefilter.over_18",),
    "too short": ("prefilter.min_post_words", "prefilter.min_comment_words"),
    "title only": ("prefilter.min_post_sentences",),
    "discussion starter": ("prefilter.starter_threshold",),
    "language quality": ("prefilter.min_quality",),
    "forum": ("prefilter.forums", "prefilter.denied_forums"),
    "first sentence too long": ("post.max_characters",),
    "no dialogue long enough": ("search.min_turns",),
    "least coherent": ("postfilter.drop_share",),
}
"""The settings that decide why a post, comment or dialogue is left out; no setting decides the other reasons."""
