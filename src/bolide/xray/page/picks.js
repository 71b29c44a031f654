/* The filters that words and groups set, the same as in bolide/xray/picks.py.

     pick    "missed word: house", "over frequency: 5–9", "B stem word: cats", "differ ngrams: of the"
     group   "domain: news", "B length ratio: < 0.7" */

const ONE_WORD = "word";
const DIFFER = "differ";
const OF_B = "B "; // begins the filters that are about B

/** What the filters of a side, A (0) or B (1), begin with. */
function ofSide(side) {
  return side ? OF_B : "";
}

/** Whether a filter is about A (0) or B (1), and the filter without its system. */
function sideOf(text) {
  return text.startsWith(OF_B) ? {side: 1, rest: text.slice(OF_B.length)} : {side: 0, rest: text};
}

/** The system that a filter of words is about: A unless it says B. */
function pickedSystem(state) {
  return state.against !== null && sideOf(state.pick ?? "").side ? state.against : state.system;
}

/** The parts of a filter of words: side, outcome, type (a kind of words, or what is compared) and value. */
function parsedPick(report, text) {
  if (!text) return null;
  const {side, rest} = sideOf(text);
  const end = rest.indexOf(": ");
  if (end < 0) return null;
  const [head, value] = splitOnce(rest, ": ");
  for (const outcome of [...Object.keys(outcomes(report)), ...(side ? [] : [DIFFER])]) {
    if (!head.startsWith(`${outcome} `)) continue;
    const type = head.slice(outcome.length + 1);
    if (knownType(report, outcome, type)) return {side, outcome, type, value};
  }
  return null;
}

/** Whether a filter of words can be about this type of things. */
function knownType(report, outcome, type) {
  const {source, kinds} = report.analysis;
  if (outcome === DIFFER) return Object.hasOwn(contrastsOf(report), type);
  if (isSource(type))
    return outcome === "missed" && Boolean(source) && [SOURCE, ...source.kinds.map(sourceType)].includes(type);
  return type === ONE_WORD || kinds.some((kind) => kind.name === type);
}

/** A filter of words for display: "B over-generated word: house". */
function pickText(report, text) {
  const pick = parsedPick(report, text);
  if (!pick) return text;
  const {side, outcome, type, value} = pick;
  if (outcome === DIFFER) return `${contrastsOf(report)[type][0]}: A and B differ in “${value}”`;
  return `${SIDE_LETTERS[side]} ${outcomes(report)[outcome][0]} ${type}: ${value}`;
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

/** The names of all groups, as in filters. Those of B are other ones if the systems have their own segments. */
function groupNames(report) {
  const names = (groupings, before) =>
    groupings.flatMap(({name, groups}) => groups.map((group) => `${before}${name}: ${group.name}`));
  const {groups} = report.analysis;
  return [...names(groups, ""), ...names(groups.filter(({shared}) => !shared), OF_B)];
}

/** The group that a filter names: its grouping, its place there, and the side it is about. */
function pickedGroup(report, text) {
  const {groups} = report.analysis;
  for (const [side, groupings] of [groups, groups.filter(({shared}) => !shared)].entries()) {
    for (const grouping of groupings) {
      const named = ({name}) => `${ofSide(side)}${grouping.name}: ${name}` === text;
      const place = grouping.groups.findIndex(named);
      if (place >= 0) return {grouping, place, side};
    }
  }
  return null;
}

/** A group for display: with its system, if each has its own segments. */
function groupText(report, text) {
  const found = pickedGroup(report, text);
  return found && !found.grouping.shared && !found.side && report.systems.length > 1 ? `A ${text}` : text;
}

/** A test of segments, made once for each filter and its systems. */
function remembered(make) {
  let last = null;
  return (report, state, ...rest) => {
    const key = JSON.stringify([state.pick, state.group, state.system, state.against]);
    if (last?.key !== key || last.report !== report) last = {key, report, test: make(report, state)};
    return last.test(...rest);
  };
}

const passesGroup = remembered((report, state) => {
  const found = pickedGroup(report, state.group);
  if (!found) return () => false;
  const {members, shared} = found.grouping;
  const own = found.side ? state.against : state.system;
  const chosen = new Set(own === null ? [] : members[shared ? 0 : own][found.place]);
  return (segment) => chosen.has(segment);
});

const passesPick = remembered((report, state) => {
  const pick = parsedPick(report, state.pick);
  if (!pick) return () => false;
  if (pick.side && state.against === null) return () => false;
  if (pick.outcome === DIFFER) return differing(report, state, pick);
  const system = pickedSystem(state);
  if (isSource(pick.type)) {
    const wanted = wantedSources(report, pick);
    return (segment) => lostSources(report, system, segment, wanted) > 0;
  }
  const wanted = wantedWords(report, system, pick);
  const side = pick.outcome === "over" ? "ours" : "theirs";
  return (segment) => {
    const words = sideWords(report, system, segment, side);
    const happened = wordStates(report, system, segment, pick.outcome);
    return words.some((word, k) => happened[k] && wanted(word, segment, k));
  };
});

/** The places of the words that a filter of words means, in the reference (`theirs`) or in a hypothesis: all
    occurrences of a word or an n-gram, and the words of a class where the system has the outcome. */
function pickedPlaces(report, state, segment, side, system = pickedSystem(state)) {
  const pick = parsedPick(report, state.pick);
  if (!pick || isSource(pick.type)) return [];
  const kind = pick.outcome === DIFFER && report.analysis.kinds.find((each) => each.name === pick.type);
  if (kind) {
    if (side === "theirs") return [];
    const wanted = labelNumbers(kind, pick.value);
    return labelPlaces(report, system, segment, kind, wanted).flatMap((k) => wanted.map((_, n) => k + n));
  }
  const words = sideWords(report, system, segment, side);
  if (pick.outcome === DIFFER || pick.type === ONE_WORD) {
    const wanted = (pick.outcome === DIFFER ? pick.value.split(" ") : [pick.value]).map((word) =>
      wordNumber(report, word),
    );
    return words.flatMap((_, k) =>
      wanted.every((word, n) => words[k + n] === word) ? wanted.map((_, n) => k + n) : [],
    );
  }
  if (system !== pickedSystem(state) || side !== (pick.outcome === "over" ? "ours" : "theirs")) return [];
  const wanted = wantedWords(report, system, pick);
  const happened = wordStates(report, system, segment, pick.outcome);
  return words.flatMap((word, k) => (happened[k] && wanted(word, segment, k) ? [k] : []));
}

/** The number of a word. */
function wordNumber(report, word) {
  return report.payloadWords.indexOf(word);
}

/** Segments where the counts of A and B differ. */
function differing(report, state, pick) {
  if (state.against === null) return () => false;
  const systems = [state.system, state.against];
  const words = pick.value.split(" ").map((word) => wordNumber(report, word));
  const kind = report.analysis.kinds.find((each) => each.name === pick.type);
  const wanted = kind ? labelNumbers(kind, pick.value) : isSource(pick.type) && wantedSources(report, pick);
  const counter = kind
    ? (system, segment) => foundLabels(report, system, segment, kind, wanted)
    : wanted
    ? (system, segment) => lostSources(report, system, segment, wanted)
    : pick.type === "ngrams"
      ? (system, segment) => sharedNgrams(report, system, segment, words)
      : (system, segment) => lostWords(report, system, segment, words[0], pick.type);
  return (segment) => counter(systems[0], segment) !== counter(systems[1], segment);
}

/** How often a word is missed, or over-generated, in a segment. */
function lostWords(report, system, segment, word, what) {
  const words = sideWords(report, system, segment, what === "over" ? "ours" : "theirs");
  const lost = wordStates(report, system, segment, what);
  return words.filter((each, k) => each === word && lost[k]).length;
}

/** How often an n-gram is in both texts. */
function sharedNgrams(report, system, segment, words) {
  return Math.min(
    ...["ours", "theirs"].map((side) => timesIn(sideWords(report, system, segment, side), words)),
  );
}

function timesIn(text, words) {
  let found = 0;
  for (let k = 0; k + words.length <= text.length; k++) if (words.every((word, n) => text[k + n] === word)) found++;
  return found;
}

/** The hypothesis or the best reference, as numbers of pieces. */
function sidePieces(report, system, segment, side) {
  return side === "ours"
    ? report.systems[system].hypotheses[segment]
    : report.references[segment][report.best(system, segment)];
}

/** The same as numbers of words. */
function sideWords(report, system, segment, side) {
  return sidePieces(report, system, segment, side).map((piece) => report.pieces[piece][0]);
}

/** For each word of a side whether it is missed, over-generated, moved, or found by a module. */
function wordStates(report, system, segment, outcome) {
  const matches = report.matches(system, segment);
  const ours = outcome === "over";
  const [start, size] = ours ? ["hypothesisStart", "hypothesisLength"] : ["referenceStart", "referenceLength"];
  const length = sideWords(report, system, segment, ours ? "ours" : "theirs").length;
  const found = owners(length, matches, start, size);
  if (ours || outcome === "missed") return found.map((match) => match < 0);
  if (outcome === "moved") {
    const moved = movedChunks(matches);
    return found.map((match) => match >= 0 && moved.has(matches[match].chunk));
  }
  const module = moduleNumber(report, outcome);
  return found.map((match) => match >= 0 && matches[match].module === module);
}

/** A test of words: is it this one, or of this class? */
function wantedWords(report, system, pick) {
  if (pick.type === ONE_WORD) {
    const wanted = wordNumber(report, pick.value);
    return (word) => word === wanted;
  }
  const kind = report.analysis.kinds.find((each) => each.name === pick.type);
  const wanted = kind.classes.indexOf(pick.value);
  const classOf = placeClasses(report, system, kind, pick.outcome === "over" ? "ours" : "theirs");
  return (word, segment, k) => classOf(word, segment, k) === wanted;
}

/** The class of a word at a place of a side. */
function placeClasses(report, system, kind, side) {
  if (kind.of_word) return (word) => kind.of_word[word];
  if (kind.of_piece) {
    const other = kind.classes.length - 1; // words that begin a sentence are no names
    return (word, segment, k) => {
      const pieces = sidePieces(report, system, segment, side);
      const found = kind.of_piece[pieces[k]];
      return kind.states && found === 0 && beginsSentence(kind.states, pieces, k) ? other : found;
    };
  }
  const classes = kind[side][side === "theirs" && kind.theirs.length === 1 ? 0 : system];
  const starts = sideStarts(report, system, side);
  return (word, segment, k) => classes[starts[segment] + k];
}

/** Whether a sentence begins with a word, as `sentence_starts` in bolide/analysis/classes.py. */
function beginsSentence(states, pieces, k) {
  const [noWord, sentence] = [1, 2];
  let before = k - 1;
  while (before >= 0 && states[pieces[before]] === noWord) before--;
  return before < 0 || states[pieces[before]] === sentence;
}

/** The place of the first word of each segment, in a list of the words of all segments. */
function sideStarts(report, system, side) {
  const known = (report.starts ??= new Map());
  const key = `${side} ${system}`;
  if (!known.has(key)) known.set(key, countedStarts(report, system, side));
  return known.get(key);
}

function countedStarts(report, system, side) {
  const starts = [];
  let total = 0;
  for (let k = 0; k < report.size; k++) {
    starts.push(total);
    total += sideWords(report, system, k, side).length;
  }
  return starts;
}

// ---- order, as in bolide/analysis/order.py ----

/** The chunks that would have to move. */
function movedChunks(matches) {
  const chunks = new Map();
  for (const match of [...matches].sort((one, two) => one.referenceStart - two.referenceStart)) {
    const chunk = chunks.get(match.chunk) ?? {number: match.chunk, place: match.hypothesisStart, weight: 0};
    chunk.weight += match.referenceLength;
    chunks.set(match.chunk, chunk);
  }
  const all = [...chunks.values()];
  const kept = staying(
    all.map((chunk) => chunk.place),
    all.map((chunk) => chunk.weight),
  );
  const moved = new Set(all.map((chunk) => chunk.number));
  for (const k of kept) moved.delete(all[k].number);
  return moved;
}

/** The heaviest subsequence of increasing places, as indices. */
function staying(places, weights) {
  const tops = []; // useful subsequences: last place, total and last index; places and totals increase
  const before = [];
  places.forEach((place, k) => {
    let at = tops.findIndex((top) => top.place >= place);
    if (at < 0) at = tops.length;
    before.push(at ? tops[at - 1].last : -1);
    const total = weights[k] + (at ? tops[at - 1].total : 0);
    if (at < tops.length && tops[at].place === place && tops[at].total >= total) return;
    let stop = at;
    while (stop < tops.length && tops[stop].total <= total) stop++;
    tops.splice(at, stop - at, {place, total, last: k});
  });
  const found = [];
  for (let k = tops.length ? tops.at(-1).last : -1; k >= 0; k = before[k]) found.push(k);
  return found.reverse();
}
