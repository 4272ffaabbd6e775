"""`ctxgate policy check` and `test`: at the desk, in pipelines, and again with every change."""
