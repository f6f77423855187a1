"""Small games, explored to the end: what holds in all of them, and how they are best played."""
