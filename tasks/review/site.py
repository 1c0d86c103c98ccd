"""The page of a reader's session, as a site that the small server of `infra.pages` serves on this machine."""

from infra.pages.server import Site
from infra.store.objects import Store
from tasks.review.session import ReviewSession, SessionOptions

ASSETS = {
    "index.html": "review/index.html",
    "common.css": "common.css",
    **{name: f"review/{name}" for name in ("review.css", "review.js", "elements.js", "forms.js", "spans.js", "study.js")},
}


def make_review_site(store: Store, dataset: str, options: SessionOptions) -> Site:
    """Return the site of a session.

    Raises:
        ConfigError: there is no release, or nothing in it for this reader to look at.
        StoreError: the store failed.
    """
    session = ReviewSession(store, dataset, options)
    return Site(
        home="index.html",
        assets=ASSETS,
        answers={"api/session": session.describe, "api/item": session.show, "api/turns": session.show_more},
        accepts={"api/decide": session.decide},
    )
