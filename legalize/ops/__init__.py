"""Operations on TOSA values, free of dialects: functions from expressions to expressions."""
