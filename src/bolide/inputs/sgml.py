"""Reader of the SGML of NIST and WMT: sets of documents with segments, by system or reference.

    <tstset setid="newstest" srclang="any" trglang="en">
    <doc sysid="system" docid="document">
    <seg id="1"> The hypothesis. </seg>

Such files are often invalid SGML, with bare ampersands and unclosed elements. So this reader knows only the
five tags that matter, and comments. Everything else between the tags of a segment is text.
"""

from __future__ import annotations

import re

from bolide.inputs.entities import without_entities
from bolide.inputs.keyed import Keyed, KeyedBuilder
from bolide.inputs.text_files import read_lines

# The start of a tag, up to its name. Every pattern takes linear time on any text: its parts do not overlap.
TAG = re.compile(r"<\s*(?:(/)\s*)?(tstset|refset|srcset|doc|seg)\b", re.IGNORECASE)
TAG_OR_COMMENT = re.compile(f"<!--|{TAG.pattern}", re.IGNORECASE)
ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


class Sgml(Keyed):
    def read(self, builder: KeyedBuilder) -> None:
        text = "\n".join(read_lines(self.name, whole=True))
        line, counted = 1, 0
        last = text.rfind(">")  # no tag starts after it
        segment: tuple[str | None, int, int] | None = None  # name, where its text begins, line
        # Inside a segment, look for its end first: an unclosed comment must not swallow the next segments.
        while tag := (TAG if segment else TAG_OR_COMMENT).search(text, counted):
            line, counted = line + text.count("\n", counted, tag.start()), tag.start()
            if tag[2] is None:
                end = text.find("-->", tag.end())
                if end < 0:
                    builder.fail(line, "a comment without -->")
                line, counted = line + text.count("\n", counted, end), end
                continue
            if tag.end() > last:
                line, counted = line + text.count("\n", counted, tag.end()), tag.end()
                continue
            end = text.index(">", tag.end())
            closing, name = tag[1], tag[2].lower()
            if segment is not None:
                if name != "seg" or not closing:
                    builder.fail(segment[2], "a segment without </seg>")
                inner = _without_comments(text[segment[1] : tag.start()])
                builder.segment(segment[0], without_entities(inner), segment[2])
                segment = None
            elif name == "seg" and not closing:
                segment = _attributes(text[tag.end() : end]).get("id"), end + 1, line
            elif closing:
                builder.close(name)
            else:
                builder.open(name, _attributes(text[tag.end() : end]), line)
            line, counted = line + text.count("\n", counted, end), end + 1
        if segment is not None:
            builder.fail(segment[2], "a segment without </seg>")


def _without_comments(text: str) -> str:
    """Removes comments. One that does not end is text.

    >>> _without_comments("a<!-- b -->c<!-- d")
    'ac<!-- d'
    """
    kept, place = [], 0
    while (start := text.find("<!--", place)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[place:start])
        place = end + 3
    return "".join([*kept, text[place:]])


def _attributes(text: str) -> dict[str, str]:
    return {found[1].lower(): found[2] or found[3] or found[4] or "" for found in ATTRIBUTE.finditer(text)}
