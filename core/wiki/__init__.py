"""Pages of wikis: read from saved HTML or from the API, with their infoboxes; and what their files are called."""
