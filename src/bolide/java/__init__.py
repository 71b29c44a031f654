"""Everything about the Java release of Meteor 1.5.

command                   `bolide java`: chooses the mode
options                   its arguments
settings                  modules, weights, parameters and resources that they choose
plaintext, sgml, stdio    the three modes, which write the output
output                    the text of the output
files, sgml_reader        reading input files
order                     the order in which Java's hash map prints systems
alignments                reading -align.out files
trainer                   the input and output of Java's Trainer
"""
