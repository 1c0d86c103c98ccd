"""Room descriptions mined from any text: what the report "Dungeons and Datasets" says (short name: Rooms)."""
