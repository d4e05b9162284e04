"""The ways from TOSA back to a source format: operators are proposed, lowered to TOSA and compared."""
