"""
The governance gateway: what is asked, how it is decided, and what is handed over.

Begin with `pipeline.py`, the way through; `settings.py` has every setting and `errors.py` every error.  The rooms, in the order
in which a request meets them:

    api            HTTP, and nothing that is true without HTTP
    cli            the `ctxgate` command, one file for each command
    bootstrap      puts the gateway together; the one room that knows the adapters
    stages         the verbs of the pipeline, each called by the pipeline alone
    policy         how a bundle is read, asked and swapped
    content        a text or JSON document, leaf by leaf
    audit          the gateway's side of the ledger: records, questions, replay, proof
    selection      which pieces stay: repeats, conflicts, what fits
    prompt         what a model reads, and what it costs
    sessions       what a turn leaves for the next
    citations      claims of an agent against the pack it was given
    privacy        what stands for persons, and how it goes
    workbench      what officers do before and after policy decides
    observability  metrics, traces and logs; never any content
    ports          what the gateway needs from outside, mirrored by the folders of `adapters`
    model          words as types
"""
