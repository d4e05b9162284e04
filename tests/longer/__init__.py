"""Checks that take longer than CI has; see docs/results/longer-checks.md."""
