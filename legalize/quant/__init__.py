"""How integers stand for reals, and how sums are brought back to them."""
