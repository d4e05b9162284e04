"""Pictures of models: graphs for Model Explorer, and drawings of small ones."""
