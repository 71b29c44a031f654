"""The orders of Java's collections. Expected values were printed by Java."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bolide.compat.java_order import hash_set_order, hashtable_order, number_order, text_order

NAMES = "uedin online-A online-B cu kit limsi rwth.1 rwth.2 jhu eu balagur cmu-stat zz S-10 S-9 a b c d e f g h i j".split()
