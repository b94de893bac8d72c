"""Kimono Memories: two players draft photos round a ring and build pyramid albums.

The published card faces are not public: every deck here is a reconstruction, and results say so.
"""
