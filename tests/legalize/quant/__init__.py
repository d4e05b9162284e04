"""Tests of planners and schemes against numpy."""
