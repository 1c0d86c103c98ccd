"""The store: objects under one URL, and every key that fabula gives them."""
