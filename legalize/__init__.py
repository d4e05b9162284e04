"""The rules from source operators to TOSA, a file per operator family, and the pipelines."""
