"""The `fabula` command: one module for each group of subcommands."""
