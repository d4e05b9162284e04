"""Test cases of every TFLite operator: `table` has one row for each, and every test draws its cases there."""
