"""What a notebook shows between code and text: one family of cards, one file each."""
