"""The steps of the pipeline, one verb each; `gateway.pipeline` tells their order."""
