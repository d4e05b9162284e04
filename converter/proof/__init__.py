"""Whether a conversion computes what its source does."""
