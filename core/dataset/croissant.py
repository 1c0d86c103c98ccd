"""Writes `croissant.json`: a release in the words of Croissant 1.0 (MLCommons), which dataset search engines and loaders read."""

import json
import re
from collections.abc import Iterator

from core.dataset.card import Card, CardTable, Column, name_license
from core.dataset.units import UNSPECIFIED

_TERMS = """
@language @vocab citeAs column conformsTo cr rai data dataType dct equivalentProperty examples extract field fileProperty
fileObject fileSet format includes isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace
samplingRate sc separator source subField transform
"""
_CONTEXT = {term: f"cr:{term}" for term in _TERMS.split()} | {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "sc": "https://schema.org/",
}
"""The context that the specification gives, its terms in its order."""
_TYPES = {
    "string": "sc:Text",
    "bool": "sc:Boolean",
    "int32": "cr:Int32",
    "int64": "cr:Int64",
    "float": "cr:Float32",
    "double": "cr:Float64",
}


def write_croissant(card: Card) -> str:
    """Return the metadata of a release as JSON-LD: a file set and a record set for each config that has rows.

    A column that holds records (the turns of a dialogue) has a subfield for each of their parts.

    Reference: Croissant 1.0, https://docs.mlcommons.org/croissant/docs/croissant-spec.html.
    """
    filled = card.configs
    licenses = [name_license(each) or each for each in card.licenses if each != UNSPECIFIED]
    described: dict[str, object] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": re.sub(r"[^\w-]", "_", card.name),
        "description": card.description.about or card.name,
        "version": f"1.0.0+{card.version}",
    }
    if licenses:
        described["license"] = licenses if len(licenses) > 1 else licenses[0]
    if card.description.citation:
        described["citeAs"] = card.description.citation.strip()
    if card.description.languages:
        described["inLanguage"] = list(card.description.languages)
    described["distribution"] = [_describe_files(table) for table in filled]
    described["recordSet"] = [_describe_rows(card, table) for table in filled]
    return json.dumps(described, indent=1, ensure_ascii=False) + "\n"


def _describe_files(table: CardTable) -> dict[str, object]:
    return {
        "@type": "cr:FileSet",
        "@id": f"files-{table.name}",
        "name": f"files-{table.name}",
        "description": f"The files of the config {table.name}.",
        "encodingFormat": "application/x-parquet",
        "includes": f"data/{table.name}/*.parquet",
    }


def _describe_rows(card: Card, table: CardTable) -> dict[str, object]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.description or card.description.about or table.name,
        "field": list(_describe_fields(table)),
    }


def _describe_fields(table: CardTable) -> Iterator[dict[str, object]]:
    files = {"@id": f"files-{table.name}"}
    yield {
        "@type": "cr:Field",
        "@id": f"{table.name}/split",
        "name": "split",
        "description": "the split, which the name of the file tells",
        "dataType": "sc:Text",
        "source": {
            "fileSet": files,
            "extract": {"fileProperty": "filename"},
            "transform": {"regex": "^([a-z]+)-"},
        },
    }
    for column in table.columns:
        yield _describe_field(table.name, column, files, column.name)


def _describe_field(parent: str, column: Column, files: dict[str, str], source: str, path: str = "") -> dict[str, object]:
    """Return the field of a column; `path` leads from the column `source` to a part of its records."""
    name = f"{parent}/{column.name}"
    described: dict[str, object] = {"@type": "cr:Field", "@id": name, "name": column.name}
    described["description"] = column.meaning or column.name
    if column.repeated and not path:
        described["repeated"] = True
    if column.parts:
        return described | {
            "subField": [
                _describe_field(name, part, files, source, f"{path}.{part.name}" if path else part.name) for part in column.parts
            ]
        }
    found: dict[str, object] = {"fileSet": files, "extract": {"column": source}}
    if path:
        found["transform"] = {"jsonPath": path}
    return described | {"dataType": _TYPES.get(column.kind, "sc:Text"), "source": found}
