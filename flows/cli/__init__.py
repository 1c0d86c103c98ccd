"""The `fabula` command: one module a group of subcommands."""
