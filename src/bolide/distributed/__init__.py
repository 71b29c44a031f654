"""Scoring on many machines."""
