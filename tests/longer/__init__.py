"""Checks that take longer than CI has; see docs/checks.md."""
