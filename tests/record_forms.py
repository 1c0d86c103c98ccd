"""Records in the forms of public datasets, with stories of our own."""

from typing import Any

SAMSUM = {
    "id": "13700001",
    "summary": "Ines will lend Bo her ladder on Friday.",
    "dialogue": "Ines: Did you get the lamp up?\r\nBo: No. The ceiling is too far away\r\n"
    "Ines: Take my ladder :-) Friday?\r\nBo: Friday!",
}
DIALOGSUM = {
    "fname": "train_7",
    "dialogue": "#Person1#: Is this the ferry to the island?\n#Person2#: It is: the last one today.",
    "summary1": "#Person1# asks for the ferry.",
    "summary2": "#Person2# says that it is the last ferry today.",
    "summary3": "They talk about a ferry.",
    "topic1": "ferry",
}
QMSUM = {
    "topic_list": [{"topic": "Colour of the kettle", "relevant_text_span": [["0", "3"]]}],
    "general_query_list": [
        {"query": "Summarize the whole meeting.", "answer": "The team chose a red kettle and dropped the whistle."}
    ],
    "specific_query_list": [
        {
            "query": "What did they decide about the whistle?",
            "answer": "Marketing found the whistle too loud, and the team dropped the whistle.",
            "relevant_text_span": [["4", "6"]],
        },
        {
            "query": "What did they say about the colour?",
            "answer": "The designer proposed a red kettle, since red kettles sell in winter.",
            "relevant_text_span": [["0", "1"], ["2", "3"]],
        },
    ],
    "meeting_transcripts": [
        {"speaker": "Project Manager", "content": "Let us begin with the colour of the kettle."},
        {"speaker": "Industrial Designer", "content": "I propose red. Red kettles sell in winter."},
        {"speaker": "Marketing", "content": "{vocalsound}"},
        {"speaker": "Project Manager", "content": "Then the kettle is red."},
        {"speaker": "Marketing", "content": "The whistle is too loud, our testers say."},
        {"speaker": "Industrial Designer", "content": "We can drop the whistle."},
        {"speaker": "Project Manager", "content": "Good, the whistle is dropped."},
    ],
}
MEDIASUM = {
    "id": "NPR-9001",
    "program": "Evening Tide",
    "date": "2019-03-02",
    "url": "https://radio.example/9001",
    "title": "Lighthouse for sale",
    "summary": "A town sells its lighthouse.",
    "utt": ["A town has put its lighthouse on the market. Mayor?", "We kept the light, and sell the stairs."],
    "speaker": ["ADA LUND, HOST", "MAYOR TELL"],
}
SUMMSCREEN = {
    "Show Title": "Harbour Lane",
    "Episode Title": "The Wet Letter",
    "Transcript": [
        "[ SCENE_BREAK ]",
        "Mara : Who put the letter into the well ?",
        "( Tom enters )",
        "Tom : I did , and I am sorry .",
    ],
    "Recap": ["Mara finds a letter in the well, and Tom owns up."],
    "filename": "Harbour_Lane.01x04",
}
TWEETSUMM = {
    "dialog": {
        "dialog_id": "77aa",
        "turns": [
            {"turn_id": 0, "is_agent": False, "sentences": ["My parcel is wet.", "Who pays?"]},
            {"turn_id": 1, "is_agent": True, "sentences": ["We do. Send us a picture."]},
        ],
    },
    "summaries": {
        "extractive_summaries": [],
        "abstractive_summaries": [["A parcel came wet.", "The shop pays."], ["The shop pays for a wet parcel."]],
    },
}
CRD3_HUB = {
    "chunk": "Wick finds the door under the stage.",
    "chunk_id": "S09E01_2",
    "turn_start": 4,
    "turn_end": 5,
    "alignment_score": 3.5,
    "turns": [
        {"names": ["ODILE"], "utterances": ["Under the stage there is a door."], "number": 4},
        {"names": ["WICK", "HESTER"], "utterances": ["We open it.", "Slowly."], "number": 5},
    ],
}
MULTIWOZ = {
    "dialogue_id": "PMUL9.json",
    "services": ["train"],
    "turns": [
        {"turn_id": "0", "speaker": "USER", "utterance": "I need a train on Sunday."},
        {"turn_id": "1", "speaker": "SYSTEM", "utterance": "There is one at noon."},
    ],
}
FORMS: dict[str, dict[str, Any]] = {
    "SAMSum": SAMSUM,
    "DialogSum": DIALOGSUM,
    "QMSum": QMSUM,
    "MediaSum": MEDIASUM,
    "SummScreen": SUMMSCREEN,
    "TweetSumm": TWEETSUMM,
    "CRD3 on the Hub": CRD3_HUB,
    "MultiWOZ": MULTIWOZ,
}
UNITS = {
    "SAMSum": "13700001",
    "DialogSum": "train_7",
    "QMSum": "data",
    "MediaSum": "NPR-9001",
    "SummScreen": "Harbour_Lane.01x04",
    "TweetSumm": "data",
    "CRD3 on the Hub": "data",
    "MultiWOZ": "PMUL9",
}
"""The unit of each as the only record of a file `data.jsonl`."""
