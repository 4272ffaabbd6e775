"""
How a bundle is read, asked, watched and swapped.

What it decides is Rego and data: no clearance, jurisdiction or role is compared here.
"""
