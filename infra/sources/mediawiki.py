"""Reads wikis through MediaWiki's API: all pages of a category, or pages by title."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from io import BytesIO
from typing import IO, Any
from urllib.parse import parse_qs, quote, urlsplit

from core.credentials import refuse_credentials
from core.dataset.units import SourceFile
from core.errors import ConfigError, FabulaError, SourceError, StoreError
from core.wiki.documents import RenderedPage, extract_paragraphs, write_document
from core.wiki.page_names import check_template, name_page, names_episode
from infra.sources.wiki_api import MAX_REPLY, WikiApi, WikiError
from infra.web_requests import Patience

PREFIX = "mediawiki+"
BATCH = 50  # titles or page ids per request
_FORMS = {"recaps": ".html", "transcripts": ".txt"}
_OPTIONS = {"category", "titles", "folder", "namespace", "unit"}


class MediaWikiSource:
    """The pages named by `mediawiki+https://host/api.php?category=NAME`, each as a file of the folder `recaps`.

    Further options: `folder=transcripts` (its pages become plain text), `titles=A|B` (single pages), `namespace=0|4`, and
    `unit=C{season}E{episode:03}` (the form of unit ids, for wikis that write episode codes in another way).
    """

    def __init__(self, url: str, patience: Patience | None = None) -> None:
        """Parse the address; no request is sent yet."""
        refuse_credentials(url, "source")
        self.url = url
        parts = urlsplit(url.removeprefix(PREFIX))
        if parts.scheme not in ("https", "http") or not parts.hostname or not parts.path.endswith(".php"):
            raise ConfigError(f"source {url}: expected mediawiki+https://host/path/api.php?category=NAME")
        options = parse_qs(parts.query, keep_blank_values=True)
        if unknown := sorted(options.keys() - _OPTIONS):
            raise ConfigError(f"source {url}: unknown option {unknown[0]}; the options are {', '.join(sorted(_OPTIONS))}")
        self._categories, self._titles = (
            [name for value in options.get(kind, []) for name in value.split("|") if name] for kind in ("category", "titles")
        )
        if not self._categories and not self._titles:
            raise ConfigError(f"source {url}: no pages are named; add ?category=NAME or ?titles=A|B")
        self._folder = options.get("folder", ["recaps"])[-1]
        if self._folder not in _FORMS:
            raise ConfigError(f"source {url}: folder {self._folder!r}; expected recaps or transcripts")
        self._namespace = options.get("namespace", ["0"])[-1]
        self._template = options.get("unit", [""])[-1]
        if self._template:
            check_template(self._template)
        self._api = WikiApi(f"{parts.scheme}://{parts.netloc}{parts.path}", patience)

    def list_files(self) -> list[SourceFile]:
        """Return a file per page, sorted by path. Its version is the revision, its size the length of the wiki text.

        Redirects are followed, and a page is listed once. A page that is missing, or names no single episode, has a `fault`.
        """
        try:
            pages = self._find_pages()
            silent = [
                page
                for page in pages.values()
                if not _is_missing(page) and not names_episode(str(page["title"]), _redirects(page))
            ]
            leads = self._read_leads(silent)
            files = {self._describe(page, leads.get(key, "")) for key, page in pages.items()}
        except (WikiError, SourceError) as error:
            raise ConfigError(f"source {self.url}: {error}; check the address and its options") from error
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise StoreError(f"source {self.url}: a reply is not MediaWiki's ({error!r}); check the address") from error
        return sorted(files, key=lambda file: (file.path, file.version))

    def checksum(self, file: SourceFile) -> str:
        """Return the SHA-256 of a page as `read` returns it, or "" if it cannot be read."""
        try:
            return hashlib.sha256(self.read(file, MAX_REPLY)).hexdigest()
        except FabulaError:
            return ""

    def read(self, file: SourceFile, limit: int) -> bytes:
        """Return up to `limit` + 1 bytes of the listed revision: an HTML document or, for a transcript, plain text."""
        asked = {"action": "parse", "oldid": file.version, "prop": "text|categories|revid", "disablelimitreport": "1"}
        try:
            parsed = self._api.call(asked | {"disableeditsection": "1"}, 2 * limit + 2**20)["parse"]
            document = write_document(self._render(parsed, file.version))
        except (WikiError, ConfigError, KeyError) as error:
            told = f"could not read {file.path}, revision {file.version}: {error}"
            raise StoreError(f"source {self.url}: {told}; run again to list it anew") from error
        if self._folder == "transcripts":
            document = extract_paragraphs(file.path, document)
        return document.encode()[: limit + 1]

    @contextmanager
    def open(self, file: SourceFile) -> Iterator[IO[bytes]]:
        """Give a page as a stream; it comes whole from the wiki."""
        yield BytesIO(self.read(file, MAX_REPLY))

    def _find_pages(self) -> dict[str, dict[str, Any]]:
        """Return every page by its id, or by its title if it does not exist."""
        found: dict[str, dict[str, Any]] = {}
        about = {"prop": "info|redirects", "rdlimit": "max", "redirects": "1"}
        for category in self._categories:
            title = category if ":" in category else f"Category:{category}"
            asked = {"generator": "categorymembers", "gcmtitle": title, "gcmlimit": "max", "gcmnamespace": self._namespace}
            pages, redirects = self._api.query_pages(about | asked)
            if not pages:
                raise ConfigError(f"source {self.url}: {title} has no pages in namespace {self._namespace}; check both")
            found |= _by_id(pages, redirects)
        for titles in _in_batches(self._titles):
            pages, redirects = self._api.query_pages(about | {"titles": titles})
            found |= _by_id(pages, redirects)
        return found

    def _read_leads(self, pages: Sequence[Mapping[str, Any]]) -> dict[str, str]:
        """Return the wiki text above the first heading of each page, by its id."""
        asked = {"prop": "revisions", "rvprop": "ids|content", "rvslots": "main", "rvsection": "0"}
        leads: dict[str, str] = {}
        for ids in _in_batches([str(page["pageid"]) for page in pages]):
            answered, _ = self._api.query_pages(asked | {"pageids": ids})
            leads |= {str(page["pageid"]): _lead_of(page) for page in answered if "pageid" in page}
        return leads

    def _describe(self, page: Mapping[str, Any], lead: str) -> SourceFile:
        title = str(page["title"])
        if _is_missing(page):
            said = page.get("invalidreason") or "the wiki has no such page (it was deleted, moved, or never written)"
            leading = ", ".join(map(repr, _redirects(page)))
            said += f", and {leading} leads there" if leading else ""
            fault = f"{title}: {said}; correct the category, the redirect or the titles"
            return SourceFile(self._path(name_page(title)), 0, "", self.url, fault=fault)
        revision = str(page["lastrevid"])
        try:
            stem, fault = name_page(title, _redirects(page), lead, self._template), ""
        except SourceError as error:
            stem, fault = name_page(title), str(error)
        origin = f"{title}, revision {revision}, {self._link(title, revision)} ({self._license[0]})"
        return SourceFile(self._path(stem), int(page.get("length", 0)), revision, self.url, origin=origin, fault=fault)

    def _path(self, stem: str) -> str:
        return f"{self._folder}/{stem}{_FORMS[self._folder]}"

    def _render(self, parsed: Mapping[str, Any], revision: str) -> RenderedPage:
        title = str(parsed["title"])
        name, address = self._license
        return RenderedPage(
            title,
            revision,
            str(parsed["text"]),
            tuple(each["category"].replace("_", " ") for each in parsed.get("categories", []) if not each.get("hidden")),
            self._link(title, revision),
            str(self._site["general"].get("articlepath", "/wiki/$1")),
            name,
            address,
        )

    @cached_property
    def _site(self) -> Any:
        return self._api.call({"action": "query", "meta": "siteinfo", "siprop": "general|rightsinfo"})["query"]

    @property
    def _license(self) -> tuple[str, str]:
        """Name and address of the wiki's licence."""
        rights = self._site.get("rightsinfo", {})
        return rights.get("text") or rights.get("url") or "no licence stated", rights.get("url") or ""

    def _link(self, title: str, revision: str) -> str:
        """Return the permanent link to a revision."""
        general = self._site["general"]
        server = str(general["server"])
        scheme = f"{urlsplit(self._api.url).scheme}:" if server.startswith("//") else ""
        return f"{scheme}{server}{general['script']}?title={quote(title.replace(' ', '_'))}&oldid={revision}"


def _by_id(pages: Sequence[dict[str, Any]], redirects: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return pages by id, with the redirects that were followed."""
    for page in pages:
        leading = [{"title": origin} for origin, target in redirects.items() if target == page.get("title")]
        page["redirects"] = [*page.get("redirects", []), *leading]
    return {str(page.get("pageid") or page.get("title")): page for page in pages}


def _is_missing(page: Mapping[str, Any]) -> bool:
    # Pages that the wiki generates (Special:…) have no revision.
    return "lastrevid" not in page or bool(page.get("missing") or page.get("invalid"))


def _redirects(page: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(str(redirect["title"]) for redirect in page.get("redirects", [])))


def _lead_of(page: Mapping[str, Any]) -> str:
    return next((str(revision["slots"]["main"].get("content", "")) for revision in page.get("revisions", [])), "")


def _in_batches(names: Sequence[str]) -> Iterator[str]:
    return ("|".join(names[start : start + BATCH]) for start in range(0, len(names), BATCH))
