#include "vocabulary/analyst.hpp"

#include <stdexcept>
#include <utility>

#include "text/utf16.hpp"

namespace bolide {

Analyst::Analyst(std::vector<KeySource> sources, const SuffixStemmer* stemmer, const Dictionary* dictionary)
    : sources_(std::move(sources)), stemmer_(stemmer), dictionary_(dictionary) {
  for (const KeySource source : sources_) {
    if ((source != KeySource::spelling && !stemmer_) || (source == KeySource::names && !dictionary_)) {
      throw std::invalid_argument("stems need a stemmer, and names a dictionary");
    }
    columns_.resize(columns_.size() + (source == KeySource::names ? 2 : 1));
  }
}

void Analyst::OwnedColumn::clear() {
  offsets.assign(1, 0);
  keys.clear();
}

void Analyst::learn(std::span<const std::string_view> tokens, std::span<const std::string_view> words,
                    Vocabulary& vocabulary) {
  const std::lock_guard lock(mutex_);
  identities_.clear();
  sizes_.clear();
  for (OwnedColumn& column : columns_) column.clear();
  for (std::string_view word : words) {
    identities_.push_back(number(word));
    sizes_.push_back(utf16_length(word));
    add_keys(identities_.back(), word);
  }
  functions_.assign(words.size(), 0);
  Analysis analysis{identities_, functions_, sizes_, {}};
  for (const OwnedColumn& column : columns_) analysis.columns.push_back({column.offsets, column.keys});
  vocabulary.add(tokens, analysis);
}

void Analyst::add_keys(std::int64_t identity, std::string_view word) {
  std::string stem;
  std::int64_t stem_number = identity;
  if (stemmer_) {
    stem = stemmer_->stem(word);
    if (stem != word) stem_number = number(stem);
  }
  OwnedColumn* column = columns_.data();
  for (const KeySource source : sources_) {
    if (source == KeySource::names) {
      add_names(stem, stem_number, column[0], column[1]);
      (column++)->close();
    } else {
      column->keys.push_back(source == KeySource::stem ? stem_number : identity);
    }
    (column++)->close();
  }
}

// The key of a stem is the number of the name with its spelling; if there is none, it is negative.
void Analyst::add_names(std::string_view stem, std::int64_t stem_number, OwnedColumn& hypothesis,
                        OwnedColumn& reference) {
  const std::int32_t name = dictionary_->names().find(stem);
  const std::int64_t own = name < 0 ? -1 - stem_number : name;
  reference.keys.push_back(own);
  hypothesis.keys.push_back(own);
  dictionary_->find(stem, senses_);
  for (const Sense& sense : senses_) {
    const std::span<const std::int32_t> members = dictionary_->members(sense.synset);
    hypothesis.keys.insert(hypothesis.keys.end(), members.begin(), members.end());
  }
}

}  // namespace bolide
