"""What runs in a process of its own: one module per engine."""
