"""What is written from a bundle for others to read: the page of its codes, and the schemas of its tables and cases."""
