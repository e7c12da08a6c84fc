"""The commands of ``symposia``, one a module; ``ui.cli`` puts them together."""
