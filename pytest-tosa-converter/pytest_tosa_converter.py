"""Registers the pytest plugin of tosa-converter, which is a module of that package.

pytest rewrites the assertions of all modules of a distribution that has an entry point. This one has no other module.
"""

pytest_plugins = ["tosa_converter.pytest_plugin"]
