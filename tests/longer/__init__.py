"""Checks that take longer than CI has; docs/results/longer-checks.md describes them."""
