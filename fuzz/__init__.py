"""Fuzz targets: programs that call one part of bolide with random inputs, and look for crashes.

    targets.py    the table of all targets
    bodies.py     what the Python targets call
    one.py        runs one Python target, with atheris
    __main__.py   `python -m fuzz`: runs all targets, one after the other
    core/         the targets of the core, with libFuzzer: one program per file
    seeds/        small inputs to start from, one folder per target

docs/internals/fuzzing.md says how to run them and how to add one.
"""
