"""What systems get wrong: words, n-grams, and groups of segments.

aligned.py, order.py        texts and alignments as arrays; what is out of order
words.py, classes.py        counts of words and of classes of words
ngrams.py, events.py        n-grams; counts in segments, compared between two systems
significance.py             the sign test, false-discovery rates

An X-ray has the analyses of its systems: `Xray.words()` and `Xray.groups()`.
"""
