"""Readers of input files. Every format becomes batches of segments.

files, line_reader    opening, decompressing and splitting files
text                  plain text
table                 what all other formats share: named columns
delimited, jsonl, parquet, keyed (sgml, xml)    one module per format
options               the user's options, and the format of a file
assembly              systems: hypotheses with their references and documents
agreement             whether systems can be compared
segments              hypotheses and references given as Python objects
read_ahead            reading while scoring
"""
