"""The ways from TOSA back to a source format: operators are guessed, lowered to TOSA and compared."""
