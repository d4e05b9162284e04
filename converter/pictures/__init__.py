"""Models for the eye: graphs for Model Explorer, and drawings of small ones."""
