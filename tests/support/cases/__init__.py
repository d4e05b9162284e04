"""The cases of every TFLite operator: `table` has a row for each, which serves every test that needs one."""
