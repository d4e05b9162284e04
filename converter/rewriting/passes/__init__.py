"""Passes that change a whole graph, one a file, in the order of `legalize.pipelines`."""
