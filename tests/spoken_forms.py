"""Small dialogues of our own in the files of datasets that people compare forums with."""

import json
from pathlib import Path

DAILY = (
    "Is the lamp out ? __eou__ It is . Shall I light it ? __eou__ Please do . __eou__\n\n"
    "Rain again , and the roof leaks . __eou__ Then we need a bucket . __eou__\n"
)
TOPICAL = {
    "t_1": {
        "article_url": "https://example.org",
        "config": "A",
        "content": [
            {"message": "Do you like boats?", "agent": "agent_1", "sentiment": "Neutral"},
            {"message": "I do.", "agent": "agent_2"},
            {"message": "Mine is blue.", "agent": "agent_2"},
        ],
    }
}
LOG = [{"text": "A cheap room.", "metadata": {}}, {"text": "Which  part?", "metadata": {}}]
WOZ_20 = {"PMUL1.json": {"goal": {}, "log": LOG}}
WOZ_22 = [
    {
        "dialogue_id": "SNG2.json",
        "services": ["train"],
        "turns": [
            {"turn_id": "0", "speaker": "USER", "utterance": "A train to Ely.", "frames": []},
            {"turn_id": "1", "speaker": "SYSTEM", "utterance": "When?", "frames": []},
        ],
    }
]
SESSIONS = {
    "personas": [["I keep goats."], ["I sail."]],
    "dialog": [{"id": "Speaker 1", "text": "How is the goat?"}, {"id": "Speaker 2", "text": "She found the bread again."}],
    "metadata": {"initial_data_id": "train:ordinary_trainset_0", "session_id": 1},
}
HUB = {"dialoug_id": 7, "session_id": 0, "dialogue": ["Good morning.", "Tea?"], "speaker": ["Speaker 1", "Speaker 2"]}


def write_all(folder: Path) -> Path:
    """Write a folder with a file of each form."""
    (folder / "session_2").mkdir(parents=True)
    (folder / "dialogues_train.txt").write_text(DAILY)
    (folder / "session_2" / "train.txt").write_text(json.dumps(SESSIONS) + "\n")
    (folder / "topical.json").write_text(json.dumps(TOPICAL))
    (folder / "data.json").write_text(json.dumps(WOZ_20))
    (folder / "dialogues_001.json").write_text(json.dumps(WOZ_22))
    (folder / "schema.json").write_text("[]")
    (folder / "sessions.jsonl").write_text(json.dumps(HUB) + "\n")
    return folder
