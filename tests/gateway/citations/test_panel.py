"""The panel of sources."""

import json


def test_markup_in_a_source_is_text(sealed):
    """
    A source's name cannot become part of the page.
    """
    from gateway.citations.panel import entries, page
    from gateway.model import ContextPack

    text = json.dumps(sealed).replace("SoR:npa_projects", "<script>alert(1)</script>")
    pack = ContextPack.model_validate_json(text)
    assert "<script>" not in page(pack, entries(pack), {"<script>": "<script>"})
