"""Raw screenplays of the web, whatever their layout, as scenes."""
