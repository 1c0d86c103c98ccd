import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dataset.takedown import Takedown, WithheldRecord
from core.errors import SourceError
from core.people.pseudonyms import pseudonymise
from core.threads.formats import read_post
from core.threads.withholding import withhold_people

KEY = b"a key of 16 letters"
GRETA = pseudonymise("GretaTheAsker", KEY)


def comment(name: str, author: str, *replies: dict[str, Any]) -> dict[str, Any]:
    children = [{"kind": "t1", "data": reply} for reply in replies]
    nested = {"kind": "Listing", "data": {"children": children}} if replies else ""
    return {"id": name, "parent_id": "t3_p", "author": author, "body": f"{author} says {name}.", "replies": nested}


def page(author: str, *comments: dict[str, Any]) -> list[Any]:
    post = {"id": "p", "title": "A title", "selftext": "A text.", "author": author, "subreddit": "odd"}
    listings = [{"kind": "t3", "data": post}], [{"kind": "t1", "data": each} for each in comments]
    return [{"kind": "Listing", "data": {"children": children}} for children in listings]


def tree(author: str, comments: Any) -> dict[str, Any]:
    return {"sid": "p", "title:": "A title", "text": "A text.", "author": author, "_subreddit": "odd", "comments": comments}


def withhold(record: Any, *listed: str) -> WithheldRecord:
    return withhold_people("t3_p", json.dumps(record).encode(), Takedown(dict.fromkeys(listed, "asked")), KEY)


FORMS = {
    "page": page("pat", comment("c1", "GretaTheAsker", comment("c2", "dog")), comment("c3", "cat")),
    "tree": tree(
        "pat",
        {
            "c1": {"text": "Said.", "author": "gretatheasker", "replies": {"c2": {"text": "No.", "author": "dog"}}},
            "c3": {"text": "Yes.", "author": "cat"},
        },
    ),
    "list": tree(
        "pat", [{"id": "c1", "text": "Said.", "author": "GretaTheAsker"}, {"id": "t1_c3", "text": "Yes.", "author": "cat"}]
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("listed", [GRETA.upper().replace("-", "_"), "T1-C1", "t3_p_c1", "T3-P-t1_c1"])
def test_a_comment_leaves_with_its_replies_and_the_others_stay(form: str, listed: str) -> None:
    found = withhold(FORMS[form], listed)
    assert (found.listed, found.unit) == ((listed,), False)
    assert [each.id for each in read_post("t3_p", [found.line], KEY).comments] == ["c3"]
    assert not any(gone in found.line for gone in (b"Said", b"c2"))


@pytest.mark.parametrize("form", FORMS)
def test_a_record_with_nothing_on_the_list_is_the_same_bytes(form: str) -> None:
    line = json.dumps(FORMS[form], indent=1).encode()
    out = Takedown({"t3_q": "a", "t1_c9": "b", pseudonymise("nobody", KEY): "c", "t3_q_c1": "d", "author-unknown": "e"})
    assert withhold_people("t3_p", line, out, KEY) == WithheldRecord(line)


@pytest.mark.parametrize("form", FORMS)
def test_a_post_leaves_as_a_whole_with_its_author(form: str) -> None:
    pat = pseudonymise("PAT", KEY)
    assert withhold(FORMS[form], pat) == WithheldRecord(None, (pat,), unit=True)


def test_a_nameless_comment_and_one_whose_id_holds_a_name_are_known_by_their_names_of_a_release() -> None:
    record = tree("pat", [{"text": "Said.", "author": "dog"}, {"text": "Yes.", "author": "cat"}])
    nameless, other = (each.id for each in read_post("t3_p", [json.dumps(record).encode()], KEY).comments)
    for listed in (nameless.upper(), f"t3_p_{nameless}"):
        found = withhold(record, listed)
        assert [each.id for each in read_post("t3_p", [found.line], KEY).comments] == [other]
    yes = {"text": "Yes.", "author": "GretaTheAsker"}
    record = tree("pat", {"GretaTheAsker-12": {"text": "Said.", "author": "dog"}, "c3": yes})
    hidden, other = (each.id for each in read_post("t3_p", [json.dumps(record).encode()], KEY).comments)
    found = withhold(record, hidden)
    assert [each.id for each in read_post("t3_p", [found.line], KEY).comments] == [other]


def test_lines_of_dumps_and_of_convokit_leave_alone() -> None:
    dumped = {"id": "c1", "link_id": "t3_p", "parent_id": "t3_p", "author": "GretaTheAsker", "body": "Said."}
    utterance = {"id": "c1", "conversation_id": "p", "reply_to": "p", "speaker": {"id": "GretaTheAsker"}, "text": "Said."}
    unreadable = {"id": "c1", "link_id": "t3_p", "author": "GretaTheAsker"}
    post = {"id": "p", "title": "A title", "selftext": "GretaTheAsker is wrong.", "author": "pat", "subreddit": "odd"}
    for record, listed in ((dumped, GRETA), (utterance, GRETA), (unreadable, GRETA), (dumped, "t1_C1"), (utterance, "T3_P_C1")):
        found = withhold(record, listed)
        assert (found.listed, found.unit) == ((listed,), False)
        assert b"Said" not in (found.line or b"")
        read = read_post("t3_p", [json.dumps(post).encode(), found.line or b""], KEY)
        assert (read.comments, read.lost) == ((), ())
        assert read.text == f"{GRETA} is wrong."  # who is taken down is still nobody whose name may be published
    assert withhold(dumped, "t1_c2") == WithheldRecord(json.dumps(dumped).encode())


def test_what_a_post_repeats_of_a_person_leaves_too() -> None:
    record = page("pat", comment("c3", "cat") | {"body": "GretaTheAsker is wrong."})
    record[0]["data"]["children"][0]["data"]["crosspost_parent_list"] = [
        {"id": "c3", "title": "Another", "selftext": "Said.", "author": "GretaTheAsker"}
    ]
    found = withhold(record, GRETA)
    assert b"Said" not in found.line
    assert [each.text for each in read_post("t3_p", [found.line], KEY).comments] == [f"{GRETA} is wrong."]
    assert b"Another" in (withhold(record, "t1_c3").line or b"")  # the id is a post's, and no comment's


def test_what_is_nested_too_deep_to_be_written_stays_out() -> None:
    nested = '{"c0": {"text": "Yes.", "author": "cat"}}'
    for level in range(1, 5_000):
        nested = f'{{"d{level}": {{"text": "Yes.", "author": "cat", "replies": {nested}}}}}'
    comments = f'{{"c1": {{"text": "Said.", "author": "dog"}}, "e": {{"replies": {nested}}}}}'
    line = json.dumps(tree("pat", "HERE")).replace('"HERE"', comments)
    with pytest.raises(SourceError, match="t3_p: nested too deep to be stored without t1_c1"):
        withhold_people("t3_p", line.encode(), Takedown({"t1_c1": "asked"}), KEY)


NAMES = st.sampled_from(["Anna", "BEN", "carla_7", "dog"])
TREES = st.recursive(
    st.just({}),
    lambda below: st.dictionaries(
        st.text("abc12", min_size=1, max_size=3),
        st.tuples(NAMES, below).map(lambda each: {"author": each[0], "text": f"{each[0]} SAYS SO", "replies": each[1]}),
        max_size=3,
    ),
    max_leaves=12,
)


@given(TREES, NAMES)
def test_no_word_of_a_person_is_left_of_any_tree(comments: dict[str, Any], name: str) -> None:
    found = withhold(tree("pat", comments), pseudonymise(name, KEY))
    assert f"{name} SAYS SO" not in found.line.decode()
    assert pseudonymise(name, KEY) not in {each.author for each in read_post("t3_p", [found.line], KEY).comments}
