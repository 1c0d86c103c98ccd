from core.dataset.rejects import RejectedRows, count_reasons
from core.transcripts.config import FilterConfig
from core.transcripts.rows import explain_rejects


def reject(reason: str, place: int = 0, **columns: object) -> dict[str, object]:
    return {
        "episode": "S01E01", "chunk_size": 2, "offset": 0, "turn_start": place, "turn_end": place, "confidence": 0.5,
        "reason": reason,
    } | columns  # fmt: skip


def test_each_reason_of_transcripts_names_the_setting_that_decides() -> None:
    rows = [
        *(reject("too-few-chunks", chunk_size=2) for _ in range(4)),
        *(reject("too-few-chunks", chunk_size=0) for _ in range(3)),
        *(reject("low-confidence", confidence=number / 10) for number in range(1, 8)),
        reject("too-few-turns", turn_end=0),
        reject("too-many-turns", turn_end=149),
        reject("unaligned", turn_start=None, turn_end=None),
        reject("question-and-answer"),
    ]
    config = FilterConfig(min_chunks=10, max_turns=100, min_turns=2)
    found = {entry.reason: entry for entry in explain_rejects(config, rows)}
    assert sum(entry.count for entry in found.values()) == len(rows)
    # Paragraphs go with the largest chunking of their episode: 4 let all of them pass.
    few = found["too-few-chunks"]
    assert (few.setting, few.half, few.every) == ("filter.min_chunks = 10", 4, 4)
    low = found["low-confidence"]
    assert (low.setting, low.half, low.every) == ("filter.min_confidence = 0.8", 0.4, 0.1)
    assert (found["too-few-turns"].setting, found["too-few-turns"].every) == ("filter.min_turns = 2", 1)
    assert (found["too-many-turns"].setting, found["too-many-turns"].every) == ("filter.max_turns = 100", 150)
    assert "Q: " in found["question-and-answer"].setting
    assert all(entry.setting or entry.note for entry in found.values())
    assert low.describe() == "7 low-confidence: filter.min_confidence = 0.8; with 0.4 half of them pass, with 0.1 all"


def test_reasons_that_differ_in_numbers_only_are_counted_together() -> None:
    rows = [{"reason": f"{number:,} sentences; the median is 1,000"} for number in (90, 1200)] + [{"reason": "no words"}]
    assert count_reasons(None, rows) == [
        RejectedRows(reason="90 to 1,200 sentences; the median is 1,000", count=2),
        RejectedRows(reason="no words", count=1),
    ]
