"""METEOR 1.5 once more, slowly: the oracle the native core is tested against.

Every rule stands here in the plainest Python that states it, without integers for words, bit sets,
packed keys or threads. The files follow the data:

    normalizer.py  text                       -> normalised text, one regular expression per step
    matchers.py    two token lists            -> every possible match, in Java's order
    beam.py        matches                    -> the alignment Java's beam search chooses
    exact.py       matches                    -> the best alignment of all
    statistics.py  alignment                  -> the statistics, and the score computed from them

What other versions of METEOR need besides: staged.py and greedy.py align, porter.py stems.

Nothing here imports bolide, so that a mistake in the product cannot hide in its own mirror.
"""
