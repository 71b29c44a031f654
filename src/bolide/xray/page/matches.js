/* The description of a match, and the parts of a drawing that belong to it. */

const SIDE_LETTERS = ["A", "B"];

/** One or two systems with one reference of a segment, for drawings and tables. */
function comparison(report, state, segment) {
  const reference = shownReference(report, state, segment);
  const systems = state.against === null ? [state.system] : [state.system, state.against];
  return {
    segment,
    reference,
    form: state.form,
    words: report.references[segment][reference],
    sides: systems.map((system, side) => ({
      system,
      side,
      words: report.systems[system].hypotheses[segment],
      matches: report.matches(system, segment, reference),
    })),
  };
}

/** The selected reference, or the best one of A; of B, if the filter of words is about B. */
function shownReference(report, state, segment) {
  return state.reference ?? ownReference(report, state, segment);
}

function ownReference(report, state, segment) {
  return report.best(pickedSystem(state), segment);
}

/** The key of a match, shared by its cell, its ribbon and its words. */
function matchKey(side, number) {
  return `${SIDE_LETTERS[side]}${number}`;
}

/** The description of each match, by its key. */
function explained(report, shown) {
  const found = new Map();
  const part = (words, start, length) => phrase(report, words.slice(start, start + length), shown.form);
  for (const {side, system, words, matches} of shown.sides) {
    const chunks = 1 + Math.max(-1, ...matches.map((match) => match.chunk));
    matches.forEach((match, number) => {
      found.set(matchKey(side, number), {
        side,
        chunks,
        system: report.labels[system],
        module: report.modules[match.module],
        stage: match.module,
        chunk: match.chunk + 1,
        hypothesis: part(words, match.hypothesisStart, match.hypothesisLength),
        reference: part(shown.words, match.referenceStart, match.referenceLength),
        reason: report.reasons[match.reason] ?? "",
      });
    });
  }
  return found;
}

/** The description as one line, for screen readers. */
function spoken(info, several) {
  const who = several ? `${SIDE_LETTERS[info.side]}, ` : "";
  const why = info.reason ? `; ${info.reason}` : "";
  return `${who}${info.module.name}: ${info.hypothesis} = ${info.reference}${why}; chunk ${info.chunk} of ${info.chunks}`;
}

/** For each word of a side, the number of its match, or −1. */
function owners(length, matches, start, size) {
  const found = new Array(length).fill(-1);
  matches.forEach((match, number) => found.fill(number, match[start], match[start] + match[size]));
  return found;
}

/** Chunks as boxes in words: [first, end) on both sides. */
function chunkBoxes(matches) {
  const boxes = new Map();
  for (const match of matches) {
    const box = boxes.get(match.chunk) ?? {
      chunk: match.chunk,
      left: Infinity,
      right: 0,
      top: Infinity,
      bottom: 0,
    };
    box.left = Math.min(box.left, match.referenceStart);
    box.right = Math.max(box.right, match.referenceStart + match.referenceLength);
    box.top = Math.min(box.top, match.hypothesisStart);
    box.bottom = Math.max(box.bottom, match.hypothesisStart + match.hypothesisLength);
    boxes.set(match.chunk, box);
  }
  return [...boxes.values()].sort((one, two) => one.chunk - two.chunk);
}

/** Attributes of a match in a drawing, for the pointer and the keyboard. */
function matchAttributes(info, key, several) {
  return {
    class: `match stage-${info.stage % STAGES} side-${SIDE_LETTERS[info.side]}`,
    "data-match": key,
    tabindex: -1,
    role: "img",
    "aria-label": spoken(info, several),
  };
}

const STAGES = 6; // number of colours; more modules reuse them, with other letters

/** The colour of a module as a CSS variable; `soft` for backgrounds. */
function stageColour(stage, soft = false) {
  return `var(--stage-${stage % STAGES}${soft ? "-soft" : ""})`;
}
