"""The papers that the pipelines' methods come from, as BibTeX."""

CRD3 = """
@inproceedings{rameshkumar-bailey-2020-storytelling,
  title = {Storytelling with Dialogue: a {Critical Role Dungeons and Dragons Dataset}},
  author = {Rameshkumar, Revanth and Bailey, Peter},
  booktitle = {Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics},
  year = {2020}
}
"""
SUMTITLES = """
@inproceedings{malykh-etal-2020-sumtitles,
  title = {{SumTitles}: a Summarization Dataset with Low Extractiveness},
  author = {Malykh, Valentin and Chernis, Konstantin and Artemova, Ekaterina and Piontkovskaya, Irina},
  booktitle = {Proceedings of the 28th International Conference on Computational Linguistics},
  year = {2020}
}
"""
FORUMS = """
@mastersthesis{huryn-2022-framework,
  title = {Framework for Automatic Generation of Large-scale Dialogue Data from Online Forums},
  author = {Huryn, Daniil V.},
  year = {2022}
}
"""
ROOMS = """
@techreport{grow-etal-2022-dungeons,
  title = {Dungeons and Datasets: Final Project Report},
  author = {Grow, Zach and Williams, Joel and Ruskamp-White, Andrew},
  institution = {Portland State University},
  year = {2022}
}
"""
