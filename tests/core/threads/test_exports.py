import json
from dataclasses import replace

import pytest

from core.dataset.takedown import Takedown
from core.errors import SourceError
from core.people.pseudonyms import pseudonymise
from core.threads.exports import convert_line, open_converter
from core.threads.formats import name_post, read_post
from core.threads.mark_up import clean_text
from core.threads.posts import Post
from core.threads.stack_exchange import BEFORE
from core.threads.withholding import withhold_people
from tests.thread_forms import FORMS, PLACED, SAID, TITLE, make_item, make_topic

KEY = b"key"


def convert(files: dict[str, str]) -> list[bytes]:
    """Return the records of files as a run reads them: those of a dump after the files that come first."""
    records = []
    for name in files:
        if name.lower() == "users.xml":
            continue
        reader, found = open_converter(f"lanterns/{name}"), list[bytes]()
        first = [other for other in files if other.lower() in BEFORE.get(name.lower(), ())]
        for each in [*sorted(first, reverse=True), name]:
            lines = [files[each].encode()] if name.endswith(".json") else files[each].encode().split(b"\n")
            found = [record for line in lines for record in reader(line)]
        records += [*found, *reader(None)]
    return records


def read_whole(records: list[bytes]) -> Post:
    (name,) = {name_post(record) for record in records}
    return read_post(name, records, KEY)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_holds_the_same_thread(form: str) -> None:
    records = convert(FORMS[form])
    post = read_whole(records)
    authors = {"wick": "user11", "cat": "user12", "moth": "user13"} if form == "Stack Exchange" else {}

    def hide(author: str) -> str:
        return pseudonymise(authors.get(author, author), KEY)

    post = replace(post, comments=tuple(replace(each, text=clean_text(each.text)) for each in post.comments))
    assert (post.title, clean_text(post.text), post.author) == (TITLE, SAID[0][3], hide("wick"))
    assert {(each.author, each.text) for each in post.comments} == {(hide(each[2]), each[3]) for each in PLACED}
    texts = {each.id: each.text for each in post.comments} | {"": ""}
    above = {each.text: texts[each.parent] for each in post.comments}
    told = {number: text for number, _, _, text in SAID} | {"": ""}
    expected = {text: told[parent] for _, parent, _, text in PLACED}
    assert above == expected
    assert post.lost == ()


def test_names_beside_the_author_are_hidden_and_a_deleted_comment_keeps_its_replies_in_place() -> None:
    topic = make_topic()
    topic["post_stream"]["posts"][1]["cooked"] = "<p>Wick Ferryman, do you keep the oil there?</p>"
    said = read_whole(convert({"topic.json": json.dumps(topic)})).comments[0].text
    assert not {"Wick", "Ferryman"} & {*said.replace(",", "").split()}
    item = make_item()
    item["children"][0] |= {"author": None, "text": None}
    post = read_whole(convert({"item.json": json.dumps(item)}))
    assert len(post.comments) == 4
    assert post.comments[0].text == "[deleted]"


def test_posts_that_name_no_other_follow_each_other_where_the_author_and_another_talk() -> None:
    topic = make_topic()
    authors = ["wick", "cat", "wick", "cat", "moth", "cat", "wick", "moth", "wick"]
    first = topic["post_stream"]["posts"][0]
    posts = [
        {**first, "post_number": number, "username": author, "reply_to_post_number": 4 if number == 6 else None}
        for number, author in enumerate(authors, 1)
    ]
    topic["post_stream"]["posts"] = posts

    def place(records: list[bytes]) -> dict[str, str]:
        return {each.id[-1]: each.parent[-1:] for each in read_whole(records).comments}

    records = convert({"topic.json": json.dumps(topic)})
    alone = {"2": "", "5": ""}
    assert place(records) == alone | {"3": "2", "4": "3", "6": "4", "7": "6", "8": "", "9": "8"}
    gone = withhold_people("t3_topic-1", records[2], Takedown({"t1_topic-1.3": "asked"}), KEY)
    assert place([*records[:2], gone.line, *records[3:]]) == alone | {"4": "", "6": "4", "7": "6", "8": "", "9": "8"}
    lost = json.dumps({**json.loads(records[2]), "body": 7}).encode()
    assert place([*records[:2], lost, *records[3:]]) == place([*records[:2], gone.line, *records[3:]])


def test_a_story_of_ten_thousand_levels_is_read() -> None:
    opened = "".join(f'{{"id": {number}, "parent_id": {number - 1}, "text": "x", "children": [' for number in range(2, 10_002))
    line = f'{{"id": 1, "title": "t", "text": "x", "children": [{opened}{"]}" * 10_000}]}}'.encode()
    post = read_whole(convert_line(line))
    assert [each.id for each in post.comments] == [f"hn-{number}" for number in range(2, 10_002)]


def test_a_part_of_a_thread_names_its_story() -> None:
    part = make_item("2")
    assert {name_post(record) for record in convert_line(json.dumps(part).encode())} == {"t3_hn-1"}
    for line in ('{"by": "wick", "id": 1, "type": "story", "title": "Fog", "kids": [2]}', json.dumps(part | {"story_id": None})):
        with pytest.raises(SourceError, match="names no story"):
            convert_line(line.encode())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"<!DOCTYPE x [<!ENTITY a 'aaaa'>]>", "no row"),
        (b'<row Id="1" PostTypeId="1" Body="&a;" />', "not well-formed"),
        (b'<row Id="1" PostTypeId="1" Body="', "not well-formed"),
        (b'<row Id="1" PostTypeId="1" Body="' + b"x" * 2**21 + b'" />', "at most 1,048,576"),
        (b'<row PostTypeId="1" />', "Id is NoneType"),
    ],
)
def test_rows_that_are_hostile_or_damaged_are_refused(line: bytes, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        open_converter("site/Posts.xml")(line)


MAILS = """From a@harbour.example Mon Mar  4 10:11:00 2024
From: Ada Lund <a@harbour.example>
Subject: [lamps] Re: Fog
Message-ID: <1@harbour.example>
Content-Type: multipart/alternative; boundary=cut

--cut
Content-Type: text/html; charset=utf-8

<p>The fog &amp; the lamp.</p><script>alert(1)</script><blockquote>Older words.</blockquote>
--cut--

From b at harbour.example  Mon Mar  4 10:12:00 2024
From: b at harbour.example (Bo Tell)
Subject: Re: Fog
In-Reply-To: <0@harbour.example>
References: <1@harbour.example> <0@harbour.example>
Message-ID: <2@harbour.example>

>From here I see it.
From now on I row.

-----Original Message-----
Long ago.
"""


def test_mail_is_what_its_writer_says_in_any_encoding() -> None:
    first, second = [json.loads(record) for record in convert({"lamps.mbox": MAILS})]
    assert clean_text(first["selftext"]) == "The fog & the lamp."
    assert (first["author"], second["author"]) == ("Ada Lund", "Bo Tell")
    assert second["link_id"] == first["id"]
    assert second["parent_id"] not in (first["id"], "t3_" + first["id"])  # a mail that the file does not have
    assert second["body"] == "From here I see it.\nFrom now on I row."
    lines = [b"Content-Type: text/plain; charset=none", b"From: =?none?q?a?= <ada@harbour.example>", b"", b"Fog \xff here."]
    reader = open_converter("lamps.mbox")
    assert [reader(line) for line in lines] == [[]] * 4
    (record,) = map(json.loads, reader(None))
    assert record["selftext"] == "Fog \N{REPLACEMENT CHARACTER} here."


@pytest.mark.parametrize("listed", ["t1_topic-1.3", "wick", "Wick Ferryman"])
def test_what_is_taken_down_never_lands(listed: str) -> None:
    name = listed if listed.startswith("t1_") else pseudonymise(listed, KEY)
    takedown = Takedown({name: "asked"})
    for record in convert({"topic.json": json.dumps(make_topic())}):
        kept = withhold_people("t3_topic-1", record, takedown, KEY)
        is_his = json.loads(record)["author"] == "wick" and ("title" in json.loads(record)) <= (listed[0] != "t")
        assert bool(kept.listed) == is_his
        assert not is_his or b"the lid does not close" not in (kept.line or b"")
