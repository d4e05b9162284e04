"""Operations of legalize/ops against numpy."""
