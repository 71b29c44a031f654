#include "vocabulary/analyst.hpp"

#include <stdexcept>
#include <utility>

#include "vocabulary/english_stemmer.hpp"

namespace bolide {

namespace {

constexpr std::int64_t beyond_names = std::int64_t{1} << 33;  // hash codes may be negative

bool needs_stem(KeySource source) {
  return source == KeySource::stem || source == KeySource::names;
}

}  // namespace

Analyst::Analyst(std::vector<KeySource> sources, const AnalystTables& tables, Rules rules)
    : sources_(std::move(sources)), tables_(tables), rules_(std::move(rules)) {
  for (const KeySource source : sources_) {
    if ((source == KeySource::names && (!tables.stemmer || !tables.dictionary)) ||
        (source == KeySource::synsets && !tables.synonyms) ||
        (source == KeySource::phrases && !tables.phrase_words)) {
      throw std::invalid_argument(
          "names need a stemmer and a dictionary; synsets and phrases need their tables");
    }
    has_stems_ |= needs_stem(source);
    columns_.resize(columns_.size() + (source == KeySource::names ? 2 : 1));
  }
}

void Analyst::OwnedColumn::clear() {
  offsets.assign(1, 0);
  keys.clear();
}

std::int64_t Analyst::number(std::string_view spelling) {
  return rules_.java_hashes ? java_hash(spelling) : number_of<std::int64_t>(numbers_, spelling, 0);
}

void Analyst::learn(std::span<const std::string_view> tokens, std::span<const std::string_view> words,
                    std::span<const std::string_view> stems, Vocabulary& vocabulary) {
  if (words.size() != tokens.size() || (needs_stems() && stems.size() != words.size()))
    throw std::invalid_argument("each token needs a word, and perhaps a stem");
  const std::lock_guard lock(mutex_);
  identities_.clear();
  sizes_.clear();
  functions_.clear();
  for (OwnedColumn& column : columns_) column.clear();
  LastFound place;
  std::string own_stem;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string_view word = words[k];
    std::string_view stem;
    if (needs_stems()) {
      stem = stems[k].data() ? stems[k] : english_stem(word, own_stem);
    } else if (has_stems_) {
      stem = own_stem = tables_.stemmer->stem(word);
    }
    identities_.push_back(number(word));
    sizes_.push_back(utf16_length(word));
    letters_ += static_cast<std::uint64_t>(sizes_.back());
    functions_.push_back(rules_.function_words.contains(word));
    add_keys(identities_.back(), word, stem, place);
  }
  Analysis analysis{identities_, functions_, sizes_, {}};
  for (const OwnedColumn& column : columns_) analysis.columns.push_back({column.offsets, column.keys});
  vocabulary.add(tokens, analysis);
}

void Analyst::add_keys(std::int64_t identity, std::string_view word, std::string_view stem,
                       LastFound& place) {
  const std::int64_t stem_number = has_stems_ && stem != word ? number(stem) : identity;
  OwnedColumn* column = columns_.data();
  for (const KeySource source : sources_) {
    switch (source) {
      case KeySource::spelling:
        column->keys.push_back(identity);
        break;
      case KeySource::stem:
        column->keys.push_back(stem_number);
        break;
      case KeySource::synsets:
        tables_.synonyms->append_synsets(word, place.synonym, column->keys);
        break;
      case KeySource::phrases:
        if (const std::int32_t found = tables_.phrase_words->find(word, place.phrase_word); found >= 0)
          column->keys.push_back(found);
        break;
      case KeySource::names:
        add_names(stem, stem_number, column[0], column[1]);
        (column++)->close();
        break;
    }
    (column++)->close();
  }
}

// The key of a stem is the number of the name with its spelling. If there is none, it is beyond all names.
void Analyst::add_names(std::string_view stem, std::int64_t stem_number, OwnedColumn& hypothesis,
                        OwnedColumn& reference) {
  const std::int32_t name = tables_.dictionary->names().find(stem);
  const std::int64_t own = name < 0 ? beyond_names + stem_number : name;
  reference.keys.push_back(own);
  hypothesis.keys.push_back(own);
  tables_.dictionary->find(stem, senses_);
  for (const Sense& sense : senses_) {
    const std::span<const std::int32_t> members = tables_.dictionary->members(sense.synset);
    hypothesis.keys.insert(hypothesis.keys.end(), members.begin(), members.end());
  }
}

}  // namespace bolide
