"""Learns a language from parallel text: function words, a phrase table, paraphrases, and a pack of them.

    corpora ──▶ corpus ──▶ alignment ──▶ phrases ──▶ paraphrases ──▶ pack
    (any format) (tokens)   (aligners)    (core, DuckDB) (Ibis)         (resources/)
                   └──▶ function words ───────────────────┘

Each arrow is a function, and a command (`bolide learn …`). `language.learn` does all steps, and resumes after
an interruption (steps.py).
"""
