"""Nine Tiles Panic: two to five players build towns of nine tiles at once, against the clock, for three themes."""
