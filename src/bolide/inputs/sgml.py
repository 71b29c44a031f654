"""SGML of the NIST and WMT evaluations: sets of documents of segments, by systems and references.

    <tstset setid="newstest" srclang="any" trglang="en">
    <doc sysid="system" docid="document">
    <seg id="1"> The hypothesis. </seg>

Such files are seldom valid: ampersands stand alone, elements are not closed. So this reader knows the five
tags that matter; all else between a segment's tags is its text.
"""

from __future__ import annotations

import re

from bolide.inputs.entities import without_entities
from bolide.inputs.keyed import Builder, Keyed
from bolide.inputs.text import lines

TAG = re.compile(r"<\s*(/?)\s*(tstset|refset|srcset|doc|seg)\b([^>]*)>", re.IGNORECASE)
ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


class Sgml(Keyed):
    def read(self, builder: Builder) -> None:
        text = "\n".join(lines(self.name))
        line, counted = 1, 0
        segment: tuple[str | None, int, int] | None = None  # name, where its text begins, line
        for tag in TAG.finditer(text):
            closing, name = tag[1], tag[2].lower()
            line, counted = line + text.count("\n", counted, tag.start()), tag.start()
            if segment is not None:
                if name != "seg" or not closing:
                    builder.fail(segment[2], "a segment without </seg>")
                builder.segment(segment[0], without_entities(text[segment[1] : tag.start()]), segment[2])
                segment = None
            elif name == "seg" and not closing:
                segment = _attributes(tag[3]).get("id"), tag.end(), line
            elif closing:
                builder.close(name)
            else:
                builder.open(name, _attributes(tag[3]), line)
        if segment is not None:
            builder.fail(segment[2], "a segment without </seg>")


def _attributes(text: str) -> dict[str, str]:
    return {found[1].lower(): found[2] or found[3] or found[4] or "" for found in ATTRIBUTE.finditer(text)}
