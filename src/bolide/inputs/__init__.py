"""Readers of input files. Every format becomes batches of segments.

files, line_reader          opening, decompressing and splitting files
text_files                  lines of one text file, or of several in parallel
formats                     the format of a file
table                       the interface of all formats: records with named columns
plain_text, delimited, jsonl, parquet, sgml, xml    one module per format
keyed, entities             what SGML and XML share
options                     the user's options
assembly                    systems: hypotheses with their references and documents
comparable                  whether systems can be compared
segments                    hypotheses and references given as Python objects
read_ahead                  reading while scoring
"""
