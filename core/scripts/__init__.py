"""The scripts pipeline: aligns screenplays, and other long texts with scenes, with their synopses, as SumTitles does.

Read in this order: `discovery` sorts a source's files; `json_files`, `synopsis`, `screenplays` and `long_texts` read a `story`;
`names`, `mentions` and `people` find whom its sentences mean; `similarities` compares sentences with scenes by vectors, people
and words; `aligning` links them, where `matching` finds that script and synopsis are of one film; `confidence` says how surely;
`rows` decides what a release has, and `views` how it looks. `evaluation` compares links with gold.

Reference: Malykh, Chernis, Artemova and Piontkovskaya, "SumTitles: a Summarization Dataset with Low Extractiveness", COLING 2020.
"""
