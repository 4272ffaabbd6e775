"""
The steps of the pipeline, one file and one verb each; `gateway.pipeline` tells their order.

A stage is called by the pipeline alone, and calls no other stage.
"""
