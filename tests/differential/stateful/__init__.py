"""Random programs of variables and control flow, run over several steps in every form of a conversion."""
