"""What happens, in order: Prefect flows and the `fabula` command."""
