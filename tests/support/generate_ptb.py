"""Hostile text for the PTB tokenizer: pieces that have rules, joined at random."""

from __future__ import annotations

import random

WORDS = (
    "a b I The the They word can't won't I'm it's They'll 'Tis gonna cannot gotta o'clock "
    "O'Neil l'eau d' y'all rock'n'roll Dunkin' somethin' dogs' n't 's 'll 'em 'n' ma'am c'mon nor'easter "
    "U.S. U.K. u.s Mr. Dr. Inc. Corp. etc. e.g. i.e. p.m. Jan. No. St. Ph.D. J. A. Ill. ill. "
    "Assoc. é café naïve 中文 Привет مرحبا ΟΔΟΣ ß İ ＡＢ １２ well-known e-mail F-16 x_y a/b and/or "
    "he/she/it AT&T R&D C++ C# S&P 500 file.txt 2a.pdf end.Start what?No cont'd. Co. Pty. Ltd Ltd. Mtg. pte. "
    "Ms. MR. non-U.S EU-U.S. s&p-500 S&Ls CANNOT$ a-b-c-d/e m-p.a.-m It'ſ Aſst. MıSS. K. ΟΣǅ ªΣ ½Σ"
)
NUMBERS = (
    "1 12 2010 1,000 3.5 .5 -7 +7 1/2 3 1/2 12/25/2010 10:30 555-1234 (555) 123-4567 1st 90s "
    "'90s '00s '90 $5 US$ £ € 5% ½ ⅓ ² 10⁻³ ₊₁ 1990's 5pm ++55-123567"
)
MARKS = (
    "... . .. , ; : ! ? !! ?! - -- --- ----- — – … \" ' '' `` ` “ ” ‘ ’ « » ‚ „ ‟ ( ) [ ] { } < > << "
    "/ \\ | * ** _ __ ~ ^ + = & % $ # ## @ @@ ° • ™ -LRB- 😀 🇺🇸 👍🏽 "
    "\\* \\*\\* (--^) (^-`)"
)
MARKUP = (
    "#tag @user http://a.b/c http://localhost:80 https://a www.a-b.example foo.com a@b.c <b> </b> "
    '<br/> <a x="y"> <! &amp; '
    "&lt; &quot; &apos; &nbsp; &eacute; &#39; &foo; &Amp; AT&aMp;T &QUOT; &Apos; :) :-( ;D ^_^ <3"
)
SPACES = [" ", " ", " ", "\u00a0", "\u3000", "\t", "\u00ad", "\u200b", "\u0301", "\u0007", "\u0085", "\n"]
PIECES = [*" ".join((WORDS, NUMBERS, MARKS, MARKUP)).split(" "), *SPACES]


BREAKS = ["\n", "\n", "\r\n", "\r", "\v", "\f", "\u2028", "\u2029", "\n\n", "\n\r", "\n ", "\r\n\t"]


def blocks(count: int, seed: int) -> list[str]:
    """Texts of several lines: whether a period ends a sentence can depend on the next line."""
    choose = random.Random(seed)
    all_lines = iter(lines(4 * count, seed))
    return [
        "".join(next(all_lines) + choose.choice(BREAKS) for _ in range(choose.randint(2, 4)))
        for _ in range(count)
    ]


def lines(count: int, seed: int) -> list[str]:
    """Lines of one to eight pieces, half of them with a space behind."""
    choose = random.Random(seed)
    inner = [piece for piece in PIECES if piece != "\n"]

    def line() -> str:
        return "".join(choose.choice(inner) + choose.choice(("", " ")) for _ in range(choose.randint(1, 8)))

    return [line() for _ in range(count)]
