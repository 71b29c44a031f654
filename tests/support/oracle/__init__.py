"""A second, slow implementation of METEOR 1.5: the oracle for tests of the native core.

Every rule is written here in the plainest Python, without integers for words, bit sets, packed keys or
threads. The files follow the data:

    normalizer.py  text                       -> normalised text, one regular expression per step
    matchers.py    two token lists            -> every possible match, in Java's order
    beam.py        matches                    -> the alignment Java's beam search chooses
    exact.py       matches                    -> the best alignment of all
    statistics.py  alignment                  -> the statistics, and the score computed from them

For other versions of METEOR, staged.py and greedy.py align, and porter.py stems.

Nothing here imports bolide, so that an error in the package cannot also be in its oracle.
"""
