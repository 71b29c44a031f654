/* Tests of the page's scripts, for test_xray_javascript.py: test("what holds", () => equal(found, expected)). */

const TESTS = new Map();

function test(name, act) {
  TESTS.set(name, act);
}

function equal(found, expected) {
  const [one, two] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== two) throw new Error(`found ${one}, not ${two}`);
}

function runTests() {
  return [...TESTS].map(([name, act]) => {
    try {
      act();
      return [name, null];
    } catch (error) {
      return [name, String(error.stack)];
    }
  });
}

/** A report of two systems and three segments: scores 0.2 0.5 0.9 and 0.4 0.5 0.1. */
function smallReport(changes = {}) {
  const alignment = (score, matches = []) => ({matches, statistics: null, flags: 0, values: [1, 1, 1, 1, 0, score]});
  const system = (name, scores, modules) => ({
    name,
    score: scores[0],
    hypotheses: [[0, 1], [2], [1, 0, 2]],
    best: [0, 0, 0],
    united: null,
    alignments: scores.map((score, k) => [alignment(score, [0, 1, 0, 1, modules[k], 0, 0])]),
  });
  return new Report({
    format: 2,
    title: "Small",
    language: "en",
    direction: "ltr",
    pooled: true,
    unit: "words",
    modules: [
      {name: "exact", short: "ex", weight: 1},
      {name: "stem", short: "st", weight: 0.6},
    ],
    parameters: {alpha: 0.85, beta: 0.2, gamma: 0.6, delta: 0.75, fmean: "harmonic", whole: "unpenalised"},
    functions: true,
    raw: true,
    words: ["the", "cat", "sat"],
    pieces: [[0, "The", " "], [1, "Cat", "-"], [2, "sat", ""]],
    wordless: [],
    function: [0],
    sources: ["eins", "zwei", "drei"],
    names: null,
    documents: null,
    references: [[[0, 1]], [[2, 2, 2]], [[1]]],
    reasons: ["equal words"],
    systems: [system("one", [0.2, 0.5, 0.9], [0, 1, 0]), system("two & <b>", [0.4, 0.5, 0.1], [0, 0, 0])],
    pairs: [{first: 0, second: 1, difference: 0.1, p_value: 0.04, wins: 1, ties: 1, losses: 1}],
    analysis: {
      words: {list: [], left_out: 0, systems: []},
      minor: [0],
      kinds: [
        {name: "function", title: "content or function", classes: ["content", "function"], of_word: [1, 0, 0]},
        {name: "label 1", title: "<b>", classes: ["A", "B"], of_word: null, theirs: [[0, 1, 0, 0, 1, 1]], ours: []},
      ],
      contrasts: {missed: [], over: [], ngrams: []},
      groups: [
        {name: "domain", shared: true, members: [[[0, 2], [1]]], groups: [{name: "news"}, {name: "a: b"}]},
        {name: "ratio", shared: false, members: [[[0], [1, 2]], [[2], [0]]], groups: [{name: "low"}, {name: "high"}]},
      ],
    },
    plots: {},
    ...changes,
  });
}
