"""A text or JSON document, leaf by leaf: parsed, walked, cut short.  Nothing here knows of policy or of prompts."""
