"""Scores on a cluster."""
