"""What systems do with words and n-grams.

aligned.py, order.py        texts and alignments as arrays; what is out of order
words.py, classes.py        counts of words and of classes of words
intervals.py                their intervals
ngrams.py, label_ngrams.py  n-grams of words, and of classes of words
events.py                   counts in segments, compared between two systems

`Xray.words()` has the analysis of the systems of an X-ray. `bolide.comparison.groups` has groups of segments.
"""
