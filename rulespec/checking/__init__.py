"""A file -> a program that later stages may trust, or all that is wrong with it.

The pipeline in one place: read the layers, merge them, run the passes. Each pass reports all it finds;
after a pass with errors the later ones would only guess, so they do not run.
"""
