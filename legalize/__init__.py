"""The rewrites into TOSA, a file per operator family, and the pipelines that order them."""
