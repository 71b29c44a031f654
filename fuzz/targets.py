"""The table of all targets. Nothing here imports bolide, so that one.py can instrument it first.

A Python target may raise `BolideError` only. A core target must not raise anything.
"""

from __future__ import annotations

# What each program of fuzz/core calls.
CORE = {
    "normalizer": "text: normalize, split, tokenize",
    "lines": "text: LineBuffer",
    "ptb": "text: the PTB tokenizer, with and without the fast way for plain words",
    "vocabulary": "vocabulary: Vocabulary, SpellingTable",
    "phrase_text": "tables: PhraseTableBuilder, PhraseTableReader, PhraseFilter",
    "phrase_arrays": "tables: PhraseTable over damaged arrays; Engine with a phrase stage",
    "synonyms": "tables: WordIndex, Synonyms, Dictionary over damaged arrays",
    "links": "learning: word links, PhraseExtractor",
    "aligners": "align: all aligners, all instructions",
    "engine": "Engine on one thread and on several",
    "pairwise": "Engine: all pairs, and one pair after the other",
    "letter_runs": "match: common runs of letters, LetterMatcher",
    "mert": "mert: n-best lists, n-grams, edits",
}
# What each function of bodies.py calls.
PYTHON = {
    "text": "inputs: plain text",
    "compressed": "inputs: gzip, bzip2, xz and Zstandard",
    "tsv": "inputs: TSV with quotes",
    "tsv_raw": "inputs: TSV without quotes",
    "csv": "inputs: CSV",
    "jsonl": "inputs: JSON lines",
    "sgml": "inputs: SGML",
    "xml": "inputs: XML",
    "parquet": "inputs: Parquet",
    "word_annotations": "inputs: tags, labels and frequencies",
    "judgments": "evaluation: human judgments in all formats, scores of metrics",
    "judged_texts": "evaluation: texts with judgments",
    "tuning_sets": "tuning: files of data sets",
    "statistics": "tuning: rows of statistics, checkpoints",
    "java_sgml": "java: SGML as Java reads it",
    "java_alignments": "java: alignment files",
    "stdio": "java: the server of `bolide java -stdio`",
    "nbest": "mert: n-best lists, dense and sparse",
    "weights": "mert: files of weights",
    "phrase_table": "learning: phrase tables of Moses and cdec",
    "signature": "scoring: Signature.parse and all that uses its fields",
    "profile": "profiles: custom profiles",
    "manifest": "resources: manifest.toml",
    "pack": "resources: packs with a damaged array; scoring with them",
    "synonym_files": "resources: synsets and exceptions of Meteor",
    "word_files": "resources: function words and prefixes",
    "paraphrase_file": "resources: paraphrase-en.gz",
    "wordnet_files": "resources: Princeton's WordNet",
    "word_frequencies": "resources: wordfreq's lists of words",
    "thesaurus": "resources: MyThes thesauri",
    "stemmers": "language: the stemmers of all languages",
}
