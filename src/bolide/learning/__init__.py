"""Learning a language: function words, phrase tables and paraphrases from parallel text, and a pack of them.

    corpora ──▶ corpus ──▶ alignment ──▶ phrases ──▶ paraphrases ──▶ pack
    (any format) (tokens)   (aligners)    (core, DuckDB) (Ibis)         (resources/)
                   └──▶ function words ───────────────────┘

Each arrow is a function of its own, and a command of its own (`bolide learn …`); `language.learn` does all of
it, step by step, and can be ended and begun again at any moment (steps.py).
"""
