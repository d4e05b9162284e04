"""Programs that run in a process of their own: one module per engine."""
