/* Words of the source texts, through an alignment with the references: which ones A and B miss. */

const SOURCE = "source"; // begins the types of filters of source words

/** For each word of the source of a segment: true if A system misses it, false if not, null if it is not aligned. */
function sourceStates(report, system, segment) {
  const {texts, links} = report.analysis.source;
  const found = texts[segment].map(() => null);
  const missed = wordStates(report, system, segment, "missed");
  const flat = links[report.best(system, segment)][segment];
  for (let k = 0; k < flat.length; k += 2) found[flat[k]] = found[flat[k]] || missed[flat[k + 1]];
  return found;
}

/** The places of the source words that a filter of words means. */
function pickedSources(report, state, segment) {
  const pick = parsedPick(report, state.pick);
  if (!pick || !isSource(pick.type)) return [];
  const wanted = wantedSources(report, pick);
  const states = pick.outcome === DIFFER ? null : sourceStates(report, pickedSystem(state), segment);
  return report.analysis.source.texts[segment].flatMap((word, k) =>
    wanted(word, segment, k) && states?.[k] !== false && states?.[k] !== null ? [k] : [],
  );
}

function isSource(type) {
  return type === SOURCE || type.startsWith(`${SOURCE} `);
}

/** A test of source words: is it this one, or of this class? */
function wantedSources(report, pick) {
  const {words, kinds, texts} = report.analysis.source;
  if (pick.type === SOURCE) {
    const wanted = words.indexOf(pick.value);
    return (word) => word === wanted;
  }
  const kind = kinds.find((each) => sourceType(each) === pick.type);
  const wanted = kind.classes.indexOf(pick.value);
  const starts = report.once("source starts", () => {
    let total = 0;
    return texts.map((text) => (total += text.length) - text.length);
  });
  return (_, segment, k) => kind.of_place[starts[segment] + k] === wanted;
}

/** The type of filters of a kind of source words. */
function sourceType(kind) {
  return `${SOURCE} ${kind.name}`;
}

/** How often a source word is missed in a segment. */
function lostSources(report, system, segment, wanted) {
  const states = sourceStates(report, system, segment);
  return report.analysis.source.texts[segment].filter((word, k) => states[k] && wanted(word, segment, k)).length;
}

/** The source text with the words of a filter, and what is searched, marked. */
function sourceText(report, state, segment) {
  const text = visible(report.sources[segment]);
  const found = state.text ? occurrences(text, state.text) : [];
  if (!report.analysis.source || !state.pick) return marked(text, found);
  const {words, texts} = report.analysis.source;
  const chosen = new Set(pickedSources(report, state, segment));
  let at = 0;
  texts[segment].forEach((word, k) => {
    const shown = visible(words[word]);
    at = text.indexOf(shown, at);
    if (chosen.has(k)) found.push([at, at + shown.length]);
    at += shown.length;
  });
  return marked(text, merged(found));
}

// ---- tables ----

/** The part of the view of words about source words. */
function sourceSection(report, state, change, limit, more) {
  const {source} = report.analysis;
  if (!source) return null;
  const kind = source.kinds.find((each) => each.name === state.source_kind);
  const options = source.kinds.map((each) => [each.name, visible(each.title)]);
  return section(
    "Source words",
    html(
      "p",
      {class: "quiet"},
      "A source word is found if the system matches all words of the reference that it is aligned with, else missed. Words that are not aligned do not count.",
    ),
    html("div", {class: "fields"}, choice("source-kind", "By", options, kind.name, (name) => change({source_kind: name}))),
    sourceKinds(report, state, change, kind),
    sourceList(report, state, change, limit, more),
  );
}

/** The cells of A and B with the missed words of a row: the number, which opens the segments, and the share. */
function missedCells(state, change, sides, systems, k, type, name) {
  return sides.map((s, side) => {
    const [missed, all] = [systems[s].missed[k], systems[s].reference[k]];
    const pick = () => change({...listView(), pick: `${ofSide(side)}missed ${type}: ${name}`}, true);
    const label = `${visible(name)}, ${SIDE_LETTERS[side]}, missed in the source`;
    return [
      html("td", {class: "number"}, opener(missed, label, pick)),
      html("td", {class: "number quiet"}, percent(missed, all)),
    ];
  });
}

function missedHead(sides) {
  return sides.flatMap((_, side) => [
    html("span", {}, sides.length > 1 && [sideLetter(side), " "], "missed"),
    "share",
  ]);
}

function sourceKinds(report, state, change, kind) {
  const sides = sideSystems(state);
  const several = sides.length > 1;
  const pair = several && pairPlace(report, ...sides);
  const head = [
    "class",
    "words",
    ...missedHead(sides),
    ...sides.map((_, side) => html("span", {}, several && [sideLetter(side), " "], "recall")),
    several && "better, q",
  ].filter(Boolean);
  const rows = kind.classes.map((name, c) =>
    html(
      "tr",
      {},
      html("th", {scope: "row"}, html("bdi", {}, visible(name))),
      html("td", {class: "number"}, count(kind.systems[state.system].reference[c])),
      missedCells(state, change, sides, kind.systems, c, sourceType(kind), name),
      sides.map((s) => {
        const {reference, missed} = kind.systems[s];
        return shareCell(percent(reference[c] - missed[c], reference[c]), kind.intervals[s][c].slice(0, 2));
      }),
      several && testCell(kind.tests[pair.place].missed, c, pair.turned),
    ),
  );
  return table(`Source words by ${visible(kind.title)}`, head, rows, "source-kinds");
}

/** Single words, the highest counts first. */
function sourceList(report, state, change, limit, more) {
  const {words, list, systems} = report.analysis.source;
  const sides = sideSystems(state);
  const found = [...list.keys()]
    .filter((k) => sides.some((s) => systems[s].missed[k]))
    .sort((one, two) => {
      const side = sides.find((s) => systems[s].missed[one] !== systems[s].missed[two]);
      return side === undefined ? one - two : systems[side].missed[two] - systems[side].missed[one];
    });
  const rows = found.slice(0, limit).map((k) =>
    html(
      "tr",
      {},
      html("th", {scope: "row", dir: "auto"}, html("bdi", {}, visible(words[list[k]]))),
      html("td", {class: "number"}, count(systems[state.system].reference[k])),
      missedCells(state, change, sides, systems, k, SOURCE, words[list[k]]),
    ),
  );
  return [
    table("Source words that are missed", ["word", "words", ...missedHead(sides)], rows, "source-words"),
    found.length > limit &&
      button(`Show more (${count(found.length - limit)})`, more, {class: "small", id: "more-sources"}),
  ];
}
