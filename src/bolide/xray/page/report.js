/* The data of the report, payload format 2 (see bolide/xray/payload.py), and functions on it.
   Systems, segments and references are counted from 0; the page shows segments and references from 1. */

const FORMAT = 2;
const MATCH = 7; // numbers per match
const VALUES = ["precision", "recall", "f1", "fmean", "penalty", "score"];

class Report {
  constructor(payload) {
    if (payload.format !== FORMAT) throw new Error(`this page reads format ${FORMAT}, not ${payload.format}`);
    Object.assign(this, payload);
    this.title = payload.title && visible(payload.title);
    this.payloadWords = payload.words;
    this.others = payload.scores ?? []; // other metrics; `scores` has those of METEOR
    this.size = this.references.length;
    this.unpack(payload);
    this.labels = shortNames(payload.systems.map((system) => system.name));
    this.lang = this.language === "other" ? null : this.language; // for fonts and hyphens
    this.scores = this.systems.map((system, s) =>
      Float64Array.from({length: this.size}, (_, k) => this.values(s, k).score ?? 0),
    );
    this.found = null; // the searchable texts, made by the first search
    this.known = new Map(); // what is expensive to compute, by its key
  }

  /** The result of a computation, done once for a key. */
  once(key, compute) {
    if (!this.known.has(key)) this.known.set(key, compute());
    return this.known.get(key);
  }

  /** What each segment contributes to the difference of the corpus scores of two systems. */
  contributions(system, against) {
    return this.once(`contributions ${system} ${against}`, () => allContributions(this, system, against));
  }

  /** The pieces of a word, as the metric sees it or as it was written. */
  piecesOf(text) {
    const wanted = text.toLowerCase();
    const is = (each) => each !== null && each.toLowerCase() === wanted;
    const all = () =>
      this.pieces.flatMap(([word, written], k) => (is(this.payloadWords[word]) || is(written) ? [k] : []));
    return this.once(`pieces ${wanted}`, () => new Set(all()));
  }

  /** Lists by number of the piece: its word, spelling, and the characters after it and before it. For display,
      invisible characters and direction marks are escaped. */
  unpack({words, pieces, wordless}) {
    const shown = words.map(visible);
    const functions = new Set(this.function);
    const spaced = (text) => (text === " " ? text : visible(text.replace(SEPARATORS, " ")));
    this.words = pieces.map(([word]) => shown[word]);
    this.isFunction = pieces.map(([word]) => functions.has(word));
    this.spellings = pieces.map(([, text]) => text && visible(text));
    this.gaps = pieces.map(([, , after]) => spaced(after));
    this.befores = new Map();
    pieces.forEach(([, , , before], k) => before && this.befores.set(k, spaced(before)));
    this.bare = new Map(); // the text of the user without words, by the (empty) list of its numbers
    const emptied = (text) => {
      if (!(text[0] < 0)) return;
      this.bare.set(text, spaced(wordless[-1 - text.pop()]));
    };
    for (const texts of this.references) texts.forEach(emptied);
    for (const {hypotheses} of this.systems) hypotheses.forEach(emptied);
  }

  /** A text as the metric sees it. */
  text(numbers) {
    return numbers.map((number) => this.words[number]).join(" ");
  }

  best(system, segment) {
    return this.systems[system].best[segment];
  }

  /** The alignment with a reference, by default the best; null if Java's files do not have it. */
  alignment(system, segment, reference = this.best(system, segment)) {
    return this.systems[system].alignments[segment][reference] ?? null;
  }

  /** The values of a segment by name; null if undefined. */
  values(system, segment) {
    const united = this.systems[system].united;
    return named(united ? united[segment].values : this.alignment(system, segment)?.values);
  }

  /** The statistics of a segment: for the shown reference, or for all references together. */
  statistics(system, segment, reference) {
    const united = this.systems[system].united;
    return (united ? united[segment] : this.alignment(system, segment, reference))?.statistics ?? null;
  }

  matches(system, segment, reference) {
    return unpacked(this.alignment(system, segment, reference)?.matches ?? []);
  }

  /** The matches that the search left out. */
  leftOut(system, segment, reference) {
    return unpacked(this.alignment(system, segment, reference)?.left_out ?? []);
  }

  /** The number of words in the best reference. */
  length(system, segment) {
    return this.references[segment][this.best(system, segment)].length;
  }

  difference(first, second, segment) {
    return this.scores[first][segment] - this.scores[second][segment];
  }

  /** The comparison of two systems, from the side of the first. */
  pair(first, second) {
    const found = this.pairs.find(
      (p) => (p.first === first && p.second === second) || (p.first === second && p.second === first),
    );
    if (!found || found.first === first) return found ?? null;
    return {
      ...found,
      first,
      second,
      difference: negated(found.difference),
      wins: found.losses,
      losses: found.wins,
    };
  }

  about(segment) {
    const parts = [this.documents?.[segment], this.names?.[segment]].filter(
      (part) => part !== null && part !== undefined,
    );
    return parts.join(" · ");
  }

  /** The searchable text of a segment, in lower case. */
  searchable(segment) {
    this.found ??= Array.from({length: this.size}, (_, k) => this.written(k).join("\n").toLowerCase());
    return this.found[segment];
  }

  /** All texts of a segment, in both forms. */
  written(segment) {
    const texts = [...this.references[segment], ...this.systems.map((system) => system.hypotheses[segment])];
    return [
      this.sources?.[segment],
      this.names?.[segment],
      this.documents?.[segment],
      ...texts.map((numbers) => this.plain(numbers)),
      ...(this.raw ? texts.map((numbers) => this.plainRaw(numbers)) : []),
    ].filter((text) => text !== null && text !== undefined);
  }

  /** A text for searching, as the metric sees it. */
  plain(numbers) {
    let text = "";
    for (let k = 0; k < numbers.length; k++)
      text += (k ? " " : "") + this.payloadWords[this.pieces[numbers[k]][0]];
    return text;
  }

  /** A text for searching, as the user wrote it. */
  plainRaw(numbers) {
    if (!numbers.length) return this.bare.get(numbers) ?? "";
    let text = "";
    for (const number of numbers) {
      const [, spelling, after, before] = this.pieces[number];
      text += (before ?? "") + (spelling ?? "") + after;
    }
    return text;
  }
}

function negated(value) {
  return value === null || value === undefined ? null : -value;
}

function named(values) {
  return Object.fromEntries(VALUES.map((name, k) => [name, values ? values[k] : null]));
}

/** Matches as objects. */
function unpacked(flat) {
  const found = [];
  for (let k = 0; k < flat.length; k += MATCH) {
    const [referenceStart, referenceLength, hypothesisStart, hypothesisLength, module, chunk, reason] =
      flat.slice(k, k + MATCH);
    found.push({referenceStart, referenceLength, hypothesisStart, hypothesisLength, module, chunk, reason});
  }
  return found;
}

/** Decodes base64; newer browsers have a function for it. */
function decoded(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
  return bytes;
}

/** The text of an element with gzip in base64. */
async function unzipped(element) {
  const stream = new Blob([decoded(element.textContent)])
    .stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}
