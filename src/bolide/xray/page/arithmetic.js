/* The arithmetic of a score, line by line: the same text as from bolide/explanation/arithmetic.py.
   The results come from the scorer; nothing is scored here. */

const DIGITS = 6;
const SMALL = 1e-4; // smaller numbers need more decimals

/** Hypothesis and reference of a row of statistics. */
function sides(row) {
  const stages = [];
  for (let k = 4; k < row.length - 3; k += 4) stages.push(row.slice(k, k + 4));
  return [
    ["hypothesis", "P"],
    ["reference", "R"],
  ].map(([title, symbol], k) => ({
    title,
    symbol,
    length: row[k],
    functions: row[2 + k],
    content: stages.map((stage) => stage[k]),
    function: stages.map((stage) => stage[2 + k]),
    matched: row[row.length - 2 + k],
  }));
}

/** Lines: a name, equal expressions, of which the last is the number, and a note. */
function arithmetic(report, row, values) {
  const p = {...report.parameters, weights: report.modules.map((module) => module.weight ?? 0)};
  const both = sides(row);
  const chunks = row[row.length - 3];
  const lines = both.map((side, k) =>
    share(side, p, [values.precision, values.recall][k], report.functions ?? true),
  );
  if ([values.precision, values.recall, values.fmean, values.penalty].includes(null)) {
    return [...lines, line("score", [shown(values.score)], undefinedBecause(both, values, report.unit))];
  }
  const matched = (both[0].matched + both[1].matched) / 2;
  const breaks = p.fragments === "breaks";
  const whole = p.whole === "unpenalised" && !breaks && chunks === 1 && both.every(isWhole);
  return [
    ...lines,
    fmeanLine(p, values),
    breaks
      ? line("breaks", [String(chunks)], "chunks after the first one")
      : line("chunks", [String(chunks)]),
    line(
      "matches",
      [`(${both[0].matched} + ${both[1].matched}) / 2`, shown(matched)],
      "words, mean of both sides",
    ),
    ...penaltyLines(p, chunks, matched, values.penalty, whole),
    scoreLine(values),
  ];
}

function line(name, expressions, note = "") {
  return {name, expressions, note};
}

function undefinedBecause(both, values, unit) {
  if (!both.some((side) => side.matched)) return `no ${unit} match`;
  return values.precision === null || values.recall === null ? "no word has a weight" : "no match has a weight";
}

/** Precision or recall. */
function share(side, p, value, functions) {
  if (value === null) return line(side.symbol, ["0"], `the ${side.title} has no words that count`);
  const contents = side.length - side.functions;
  let matched, words, total, of;
  if (functions) {
    const [d, e] = [exact(p.delta), exact(1 - p.delta)];
    matched = `(${d}·${grouped(sum(p.weights, side.content))} + ${e}·${grouped(sum(p.weights, side.function))})`;
    words = `(${d}·${contents} + ${e}·${side.functions})`;
    total = p.delta * weighted(p.weights, side.content) + (1 - p.delta) * weighted(p.weights, side.function);
    of = p.delta * contents + (1 - p.delta) * side.functions;
  } else {
    const counts = side.content.map((number, k) => number + side.function[k]);
    [matched, words] = [grouped(sum(p.weights, counts)), String(side.length)];
    [total, of] = [weighted(p.weights, counts), side.length];
  }
  return line(side.symbol, [
    ...new Set([`${matched} / ${words}`, `${shown(total)} / ${shown(of)}`, shown(value)]),
  ]);
}

/** Counts with their weights, without zero counts. */
function sum(weights, counts) {
  const terms = counts.map((number, k) =>
    weights[k] === 1 ? String(number) : `${exact(weights[k])}·${number}`,
  );
  return terms.filter((_, k) => counts[k]).join(" + ") || "0";
}

function grouped(terms) {
  return terms.includes(" + ") ? `(${terms})` : terms;
}

function weighted(weights, counts) {
  return counts.reduce((total, number, k) => total + weights[k] * number, 0);
}

function fmeanLine(p, values) {
  const [precision, recall, value] = [values.precision, values.recall, values.fmean].map(shown);
  if (!values.precision || !values.recall) return line("Fmean", [value], "P or R is 0");
  const [a, b] = [exact(p.alpha), exact(1 - p.alpha)];
  const written = {
    harmonic: `1 / (${b}/${precision} + ${a}/${recall})`,
    ratio: `${precision}·${recall} / (${a}·${precision} + ${b}·${recall})`,
  };
  return line("Fmean", [written[p.fmean], value]);
}

function penaltyLines(p, chunks, matches, value, whole) {
  if (whole)
    return [
      line("fragmentation", ["0"], "everything matches, in one chunk: no penalty"),
      line("penalty", [shown(value)]),
    ];
  const fragmentation = `${chunks} / ${shown(matches)}`;
  return [
    line("fragmentation", [fragmentation, shown(chunks / matches)]),
    line("penalty", [`${exact(p.gamma)}·(${fragmentation})^${exact(p.beta)}`, shown(value)]),
  ];
}

function scoreLine(values) {
  const score = shown(values.score);
  if (values.penalty > 1) return line("score", [score], "the penalty is above 1");
  return line("score", [`${shown(values.fmean)}·(1 − ${shown(values.penalty)})`, score]);
}

function isWhole(side) {
  return [...side.content, ...side.function].reduce((one, two) => one + two, 0) === side.length;
}

/** A parameter with all digits, except for rounding errors. */
function exact(value) {
  return general(value, 12);
}

/** A number with a useful number of digits, and more for numbers close to an integer. */
function shown(value) {
  if (Math.abs(value) < SMALL) return general(value, DIGITS);
  const rounded = fixed(value, DIGITS);
  if (Number(rounded) === Number(fixed(value, 0)) && Number(rounded) !== value) return exact(value);
  return stripped(rounded);
}

/** Like Python's `%.{digits}f`: rounds a half to the even digit, where JavaScript rounds up. */
function fixed(value, digits) {
  const written = value.toFixed(digits);
  const rest = Math.abs(value)
    .toFixed(100 - digits > 60 ? digits + 60 : 100)
    .split(".")[1]
    .slice(digits);
  if (!/^50*$/.test(rest) || "02468".includes(written.at(-1))) return written;
  return (Number(written) - Math.sign(value) * 10 ** -digits).toFixed(digits);
}

/** Like Python's `%.{digits}g`. */
function general(value, digits) {
  if (value === 0) return "0";
  const [mantissa, power] = value.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < digits) return stripped(fixed(value, digits - 1 - exponent));
  return `${stripped(mantissa)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function stripped(written) {
  return written.includes(".") ? written.replace(/0+$/, "").replace(/\.$/, "") : written;
}
