"""The papers' tables and figures, made of a store, beside what the papers published."""
