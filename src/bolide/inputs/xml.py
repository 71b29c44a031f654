"""Reader of the XML of WMT (since 2020) and of NIST, whose elements are those of the SGML files.

    <dataset id="newstest">
    <doc id="document">
    <src lang="de"><p><seg id="1">…</seg></p></src>
    <ref lang="en" translator="A"><p><seg id="1">The reference.</seg></p></ref>
    <hyp lang="en" system="ours"><p><seg id="1">The hypothesis.</seg></p></hyp>

Files may be hostile. Entity declarations are refused, because entities could grow without bound or read
other files.
"""

from __future__ import annotations

from typing import Any, NoReturn
from xml.parsers import expat

from bolide.errors import BolideError
from bolide.inputs.files import Stream
from bolide.inputs.keyed import ROLES, Keyed, KeyedBuilder
from bolide.inputs.line_reader import BLOCK

# The declared encoding is unknown to expat, or wrong.
ENCODING_ERRORS = {
    expat.errors.codes[problem]
    for problem in (expat.errors.XML_ERROR_UNKNOWN_ENCODING, expat.errors.XML_ERROR_INCORRECT_ENCODING)
}


class Xml(Keyed):
    def read(self, builder: KeyedBuilder) -> None:
        elements = _Elements(builder)
        parser = elements.parser
        try:
            with Stream(self.name, whole=True) as stream:
                while block := stream.read(BLOCK):
                    parser.Parse(block, False)
            parser.Parse(b"", True)
        except BolideError:
            raise
        except (LookupError, ValueError):  # an encoding that Python lacks, or that XML does not allow
            elements.refuse_encoding()
        except expat.ExpatError as error:
            if error.code in ENCODING_ERRORS:
                elements.refuse_encoding()
            problem = expat.errors.messages[error.code]
            builder.fail(
                error.lineno,
                f"not XML ({problem} at column {error.offset + 1}); if it is SGML, add --input-format sgml",
            )


class _Elements:
    """Passes elements from the parser to the builder."""

    def __init__(self, builder: KeyedBuilder) -> None:
        self.builder = builder
        self.segment: str | None = None
        self.text: list[str] | None = None  # of the open segment
        self.line = 0
        self.encoding: str | None = None  # as declared
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.XmlDeclHandler = self._declaration
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._entity

    def refuse_encoding(self) -> NoReturn:
        self.builder.fail(
            self.parser.CurrentLineNumber,
            f"the encoding {self.encoding or 'of the file'} cannot be read; convert the file to UTF-8, "
            "for example with iconv, and declare that",
        )

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        self.encoding = encoding

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        if tag == "seg":
            if self.text is not None:
                self.builder.fail(line, "a segment inside a segment")
            self.segment, self.text, self.line = attributes.get("id"), [], line
        elif tag == "doc" or tag in ROLES:
            self.builder.open(tag, attributes, line)

    def _end(self, tag: str) -> None:
        if tag == "seg" and self.text is not None:
            self.builder.segment(self.segment, "".join(self.text), self.line)
            self.text = None
        else:
            self.builder.close(tag)

    def _characters(self, data: str) -> None:
        if self.text is not None:
            self.text.append(data)

    def _entity(self, name: str, *_: Any) -> None:
        self.builder.fail(
            self.parser.CurrentLineNumber, f"the entity &{name}; is not allowed; write its characters instead"
        )
