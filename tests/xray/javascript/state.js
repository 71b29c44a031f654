/* state.js */

const roundTrip = (values) => {
  const report = smallReport();
  const state = {...firstState(report), ...values};
  equal(linked(report, link(report, state)), state);
  return link(report, state);
};

test("an untouched page has a short link", () => equal(roundTrip({}), "#overview"));

test("a link has what is not as at first, and gives it back", () => {
  equal(roundTrip({view: "segments"}), "#segments");
  equal(roundTrip({view: "segments", segment: 2}), "#segment=3");
  equal(roundTrip({view: "segments", segment: 0, reference: 0, drawing: "ribbons"}), "#segment=1&reference=1&drawing=ribbons");
  equal(roundTrip({view: "segments", low: 0.25, high: 0.5, module: "stem"}), "#segments&low=0.25&high=0.5&module=stem");
  equal(roundTrip({view: "segments", order: "score", reverse: true}), "#segments&order=score&reverse");
  equal(roundTrip({against: null}), "#overview&against=");
});

test("names and texts of any kind survive a link", () => {
  equal(roundTrip({system: 1, against: 0}), "#overview&system=two%20%26%20%3Cb%3E&against=one");
  roundTrip({view: "segments", text: "a+b & c=d #é <b> 100%"});
});

test("a link's mistakes are as if they were not there", () => {
  const report = smallReport();
  for (const hash of ["", "#", "#nonsense", "#segment=0", "#segment=4", "#segment=1.5", "#segment=x", "#low=", "#system=none", "#order=toString", "#drawing=constructor", "#against=one&system=one&x=%E0"]) {
    const state = linked(report, hash);
    equal([state.view, state.segment, state.low, state.order, state.drawing, state.system], ["overview", null, null, "segment", "matrix", 0]);
  }
  equal(linked(report, "#against=one").against, null); // A is compared with others
});

test("A and B are never the same", () => {
  equal(withSystem({system: 0, against: 1}, "system", 1), {system: 1, against: 0, reference: null});
  equal(withSystem({system: 0, against: 1}, "against", 0), {system: 1, against: 0, reference: null});
  equal(withSystem({system: 0, against: 1}, "system", 2), {system: 2, reference: null});
  equal(withSystem({system: 0, against: 1}, "against", null), {against: null});
  equal(swapped({system: 0, against: null}), {});
});
