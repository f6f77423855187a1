"""Two shipped games as one would write them by hand: what the generated engine is measured against."""
