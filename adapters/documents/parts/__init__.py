"""What readers of several formats need: a document being read, packed files, titles, and numbers of lists."""
