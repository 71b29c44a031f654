"""`bolide run`: programs that use METEOR run without Java and without a change of their code.

program              starts the program, passes signals on to it, and tidies up after it
environment          the variables of the program, and the folder with the `java` that it finds
stand_in             this `java`: it answers METEOR and PTBTokenizer, and passes the rest on to the real Java
patched              on PYTHONPATH: every Python process of the program calls `bolide.compat.patch`
"""
