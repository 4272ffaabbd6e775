"""
HTTP: routes, dependencies, admission, problems and the OpenAPI document.

What is true without HTTP does not belong here, and nothing here decides.
"""
