"""Pages that fabula serves on this machine or puts into releases: their files, and the small server behind them."""
