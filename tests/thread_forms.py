"""One made-up thread in the forms of forums and mail: who wrote what, below what, is the same in all."""

import json
from html import escape
from typing import Any

TITLE = "The lamp in my boathouse flickers"
SAID: tuple[tuple[str, str, str, str], ...] = (
    (
        "1",
        "",
        "wick",
        "My lamp has hung in the boathouse for forty years, and it flickers whenever the rain comes in. "
        "I have cut the wick and it still smokes & hisses. What else can I try?",
    ),
    ("2", "1", "cat", "Do you keep the oil in the boathouse too? Old oil draws water out of the air, and then it hisses."),
    ("3", "2", "wick", "I keep it in a can under the bench, and the lid does not close well. How do I get the water out?"),
    ("4", "3", "cat", "You do not. Buy a small can of fresh oil, dry the lamp for a day, and keep the can in your kitchen."),
    ("5", "1", "moth", "My lamp did the same last winter, and a new burner for two coins was all that it needed."),
)
"""Of each: its number, the number of what it answers, who wrote it, and the text."""
PLACED = [(number, "" if above == "1" else above, author, text) for number, above, author, text in SAID[1:]]


def _paragraphs(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def make_item(number: str = "1") -> dict[str, Any]:
    """Return the thread as hn.algolia.com gives an item of Hacker News."""
    found = next(each for each in SAID if each[0] == number)
    item = {"id": int(number), "created_at_i": 1_700_000_000, "type": "comment", "author": found[2], "title": None, "url": None}
    item |= {"text": _paragraphs(found[3]), "points": None, "parent_id": int(found[1]) if found[1] else None, "story_id": 1}
    item["children"] = [make_item(each[0]) for each in SAID if each[1] == number]
    return item | ({"type": "story", "title": TITLE} if number == "1" else {})


def make_search() -> dict[str, Any]:
    """Return the thread as a page of Algolia's search of Hacker News, where each post is a hit of its own."""
    hits = []
    for number, *_ in reversed(SAID):
        item = make_item(number)
        text, story = item.pop("text"), item["type"] == "story"
        shown = {"comment_text": None if story else text, "story_text": text if story else None, "children": [7]}
        hits.append(item | shown | {"objectID": str(item.pop("id")), "_tags": [item["type"]]})
    return {"hits": hits, "nbHits": len(hits), "page": 0}


def make_topic() -> dict[str, Any]:
    """Return the thread as a topic of Discourse, with a quotation and a notice of the forum's keepers."""
    quoted = '<aside class="quote"><blockquote><p>My lamp has hung in the boathouse.</p></blockquote></aside>'
    posts: list[dict[str, Any]] = [
        {
            "id": 700 + int(number),
            "topic_id": 1,
            "post_number": int(number),
            "post_type": 1,
            "username": author,
            "name": f"{author.title()} Ferryman",
            "reply_to_post_number": None if above in ("", "1") else int(above),
            "cooked": (quoted if number == "5" else "") + _paragraphs(text),
        }
        for number, above, author, text in SAID
    ]
    posts.append({"id": 706, "topic_id": 1, "post_number": 6, "post_type": 3, "username": "system", "cooked": ""})
    return {"id": 1, "title": TITLE, "post_stream": {"posts": posts, "stream": [post["id"] for post in posts]}}


def make_lemmy() -> list[dict[str, Any]]:
    """Return the thread as two replies of Lemmy's API: the post, and its comments."""
    paths = {"2": "0.2", "3": "0.2.3", "4": "0.2.3.4", "5": "0.5"}
    community = {"id": 9, "name": "lanterns"}
    post = {"id": 1, "name": TITLE, "body": SAID[0][3], "nsfw": False}
    views = [
        {
            "comment": {"id": int(number), "content": text, "path": paths[number], "post_id": 1, "deleted": False},
            "creator": {"name": author, "display_name": f"{author.title()} Ferryman"},
            "post": post,
            "community": community,
        }
        for number, _, author, text in SAID[1:]
    ]
    return [{"post_view": {"post": post, "creator": {"name": "wick"}, "community": community}}, {"comments": views}]


def make_rows() -> dict[str, str]:
    """Return the thread as the files of a Stack Exchange dump: 2 and 5 are answers, 3 and 4 comments on answer 2."""
    numbers = {"wick": 11, "cat": 12, "moth": 13}
    posts, comments = [], []
    for number, above, author, text in SAID:
        body, user = escape(_paragraphs(text), quote=True), f'UserId="{numbers[author]}"'
        if number in ("1", "2", "5"):
            kind = 'PostTypeId="1"' if number == "1" else f'PostTypeId="2" ParentId="{above}"'
            title = f'Title="{TITLE}" ' if number == "1" else ""
            posts.append(f'  <row Id="{number}" {kind} {title}Body="{body}" Owner{user} />')
        else:
            comments.append(f'  <row Id="{number}" PostId="2" Text="{escape(text)}" {user} />')
    posts.append('  <row Id="9" PostTypeId="5" Body="&lt;p&gt;What a tag means.&lt;/p&gt;" />')
    users = [f'  <row Id="{number}" Reputation="1" DisplayName="{name.title()} Ferryman" />' for name, number in numbers.items()]
    tables = {"Posts.xml": posts, "Comments.xml": comments, "Users.xml": users}
    begin = '\ufeff<?xml version="1.0" encoding="utf-8"?>'
    return {
        name: "\n".join([begin, f"<{kind}>", *rows, f"</{kind}>", ""])
        for name, rows in tables.items()
        for kind in [name[:-4].lower()]
    }


def make_mbox() -> str:
    """Return the thread as mail: answers quote what they answer, and everybody signs."""
    mails = []
    for number, above, author, text in SAID:
        quoted = next((each[3] for each in SAID if each[0] == above), "")
        head = [f"From {author}@harbour.example Mon Mar  4 10:1{number}:00 2024", f"From: {author} <{author}@harbour.example>"]
        head += [f"Subject: {'Re: ' if above else ''}[harbour] {TITLE}", f"Message-ID: <{number}.{author}@harbour.example>"]
        if above:
            writer = next(each[2] for each in SAID if each[0] == above)
            head.append(f"In-Reply-To: <{above}.{writer}@harbour.example>")
        when = "On Mon, 4 Mar 2024" if int(number) % 2 else "Yesterday at 10:12"
        told = [f"{when}, {author} wrote:", "", *(f"> {line}" for line in quoted.split(". "))] if above else []
        mails.append("\n".join([*head, "", *told, text, "", "-- ", f"{author.title()}, harbour office", ""]))
    return "\n".join(mails) + "\n"


def make_answers(above: str = "1") -> dict[str, Any]:
    """Return the thread as a record of a dataset: a question with its answers, each with the answers to it."""
    below = [
        {"a_id": number, "author": author, "text": text, "answers": make_answers(number)["answers"]}
        for number, parent, author, text in SAID
        if parent == above
    ]
    return {"q_id": "lamp", "title": TITLE, "selftext": SAID[0][3], "author": SAID[0][2], "subreddit": "lamps", "answers": below}


FORMS: dict[str, dict[str, str]] = {
    "Hacker News": {"item.json": json.dumps(make_item())},
    "Hacker News, a line each": {"items.jsonl": json.dumps(make_item()) + "\n"},
    "Hacker News, a search": {"page.json": json.dumps(make_search())},
    "Discourse": {"topic.json": json.dumps(make_topic())},
    "Lemmy": {f"lemmy-{place}.json": json.dumps(page) for place, page in enumerate(make_lemmy())},
    "Stack Exchange": make_rows(),
    "nested answers": {"questions.jsonl": json.dumps(make_answers()) + "\n"},
    "mail": {"lanterns.mbox": make_mbox()},
}
"""The files of each form, by name."""
