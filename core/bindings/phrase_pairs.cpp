// Word alignments and phrase pairs, for Python.
#include "learning/phrase_pairs.hpp"

#include <utility>

#include "bindings/convert.hpp"
#include "support/parallel.hpp"

namespace bolide::python {

namespace {

constexpr std::size_t pairs_a_block = 256;

// An error in a sentence pair, with the number of the pair (from 0) before the message: "17: …".
[[noreturn]] void fail(std::size_t pair, const std::invalid_argument& error) {
  throw std::invalid_argument(std::to_string(pair) + ": " + error.what());
}

// Calls use(pair) for the sentence pairs of a range.
template <typename Use>
void for_each(const std::vector<AlignedPair>& pairs, std::size_t first, std::size_t last, const Use& use) {
  for (std::size_t k = first; k < last; ++k) {
    try {
      use(pairs[k]);
    } catch (const std::invalid_argument& error) {
      fail(k, error);
    }
  }
}

struct PairsOfTexts {
  Texts sources, targets, links;
  std::vector<AlignedPair> pairs;
  PairsOfTexts(const nb::object& given_sources, const nb::object& given_targets,
               const nb::object& given_links)
      : sources(given_sources), targets(given_targets), links(given_links) {
    const std::size_t size = sources.views.size();
    if (targets.views.size() != size || links.views.size() != size) {
      throw nb::value_error("there must be as many sources as targets and alignments");
    }
    for (std::size_t k = 0; k < size; ++k) {
      pairs.push_back({sources.views[k], targets.views[k], links.views[k]});
    }
  }
};

using PyPhraseExtractor = Locked<PhraseExtractor>;

void count(PyPhraseExtractor& self, const nb::object& sources, const nb::object& targets,
           const nb::object& links) {
  const PairsOfTexts given(sources, targets, links);
  const nb::gil_scoped_release release;
  self.change([&](PhraseExtractor& extractor) {
    for_each(given.pairs, 0, given.pairs.size(), [&](const AlignedPair& pair) { extractor.count(pair); });
  });
}

nb::tuple columns(PhrasePairs&& pairs) {
  const auto text = [](TextColumn& column) {
    return nb::make_tuple(to_numpy(std::move(column.bytes)), to_numpy(std::move(column.offsets)));
  };
  return nb::make_tuple(text(pairs.source), text(pairs.target), to_numpy(std::move(pairs.links)),
                        to_numpy(std::move(pairs.source_weight)), to_numpy(std::move(pairs.target_weight)));
}

nb::list extract(const PyPhraseExtractor& self, const nb::object& sources, const nb::object& targets,
                 const nb::object& links, int threads) {
  const PairsOfTexts given(sources, targets, links);
  const std::size_t count = given.pairs.size();
  std::vector<PhrasePairs> found((count + pairs_a_block - 1) / pairs_a_block);
  const auto work = [&](const PhraseExtractor& extractor) {
    const auto make = [&] {
      return [&](std::size_t first, std::size_t last) {
        PhrasePairs& here = found[first / pairs_a_block];
        for_each(given.pairs, first, last, [&](const AlignedPair& pair) { extractor.extract(pair, here); });
      };
    };
    in_blocks(count, threads, make, pairs_a_block);
  };
  without_gil([&] { self.read(work); });
  nb::list tables;
  for (PhrasePairs& pairs : found) tables.append(columns(std::move(pairs)));
  return tables;
}

nb::tuple link_texts(const Array<std::uint64_t>& links) {
  TextColumn column;
  std::string text;
  {
    const nb::gil_scoped_release release;
    for (std::uint64_t bits : view(links)) {
      text.clear();
      append_links(bits, text);
      column.add(text);
    }
  }
  return nb::make_tuple(to_numpy(std::move(column.bytes)), to_numpy(std::move(column.offsets)));
}

std::vector<std::string> symmetrized(const nb::object& first, const nb::object& second) {
  const Texts forward(first), reverse(second);
  if (forward.views.size() != reverse.views.size()) {
    throw nb::value_error("there must be as many alignments in both directions");
  }
  std::vector<std::string> lines(forward.views.size());
  const nb::gil_scoped_release release;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::vector<Link> one, two;
    try {
      parse_links(forward.views[k], one);
      parse_links(reverse.views[k], two);
    } catch (const std::invalid_argument& error) {
      fail(k, error);
    }
    append_links(grow_diag_final_and(one, two), lines[k]);
  }
  return lines;
}

}  // namespace

void bind_phrase_pairs(nb::module_& m) {
  nb::class_<PyPhraseExtractor>(m, "PhraseExtractor")
      .def(nb::init<int>(), "longest"_a)
      .def("count", &count, "sources"_a, "targets"_a, "links"_a)
      .def("extract", &extract, "sources"_a, "targets"_a, "links"_a, "threads"_a);
  m.attr("LONGEST_PHRASE") = longest_phrase;
  m.def("link_texts", &link_texts, "links"_a);
  m.def("grow_diag_final_and", &symmetrized, "first"_a, "second"_a);
}

}  // namespace bolide::python
