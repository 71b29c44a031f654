/* N-grams of labels, such as parts of speech, in single segments; the same as in bolide/analysis/label_ngrams.py. */

/** How often A system has an n-gram of classes, of those n-grams of words that the reference has, too. */
function foundLabels(report, system, segment, kind, wanted) {
  return labelPlaces(report, system, segment, kind, wanted).length;
}

/** The first places of these n-grams in the hypothesis. */
function labelPlaces(report, system, segment, kind, wanted) {
  const ours = sideWords(report, system, segment, "ours");
  const theirs = sideWords(report, system, segment, "theirs");
  const classOf = placeClasses(report, system, kind, "ours");
  const left = new Map(); // how many of the reference are left
  const keys = (text) => text.slice(wanted.length - 1).map((_, k) => text.slice(k, k + wanted.length).join(" "));
  for (const key of keys(theirs)) left.set(key, (left.get(key) ?? 0) + 1);
  return keys(ours).flatMap((key, k) => {
    const rest = left.get(key) ?? 0;
    left.set(key, rest - 1);
    return rest > 0 && wanted.every((one, n) => classOf(null, segment, k + n) === one) ? [k] : [];
  });
}

/** The numbers of the classes of an n-gram of labels; labels have no spaces. */
function labelNumbers(kind, text) {
  return text.split(LABEL_SPACE).map((name) => kind.classes.indexOf(name));
}

const LABEL_SPACE = " · ";
