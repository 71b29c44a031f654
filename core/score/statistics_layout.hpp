// The columns of a row of statistics. This is the only file that knows their order.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bolide {

// The two texts of a pair. Columns for both texts are neighbours, hypothesis first.
enum TextSide : std::size_t { hypothesis_side, reference_side };

// A row has head columns, four columns per stage, and tail columns. Lengths and the counts of stages are in
// words or in their sizes; chunks and matches are always in words. The column `chunks` may have breaks
// instead (Counting in statistics.hpp).
class StatisticsLayout {
 public:
  static constexpr std::array<std::string_view, 4> head_columns = {
      "hypothesis_length", "reference_length", "hypothesis_function_words", "reference_function_words"};
  // Words that a stage matches: content words, then function words.
  static constexpr std::array<std::string_view, 4> stage_columns = {
      "hypothesis_content", "reference_content", "hypothesis_function", "reference_function"};
  static constexpr std::array<std::string_view, 3> tail_columns = {"chunks", "hypothesis_matches",
                                                                   "reference_matches"};

  explicit constexpr StatisticsLayout(std::size_t stages) : stages_(stages) {}
  // The layout of rows with this many columns. `is_width` must be true.
  static constexpr StatisticsLayout of_width(std::size_t width) {
    return StatisticsLayout((width - fixed_columns) / stage_columns.size());
  }
  static constexpr bool is_width(std::size_t width) {
    return width >= fixed_columns && (width - fixed_columns) % stage_columns.size() == 0;
  }

  constexpr std::size_t stages() const { return stages_; }
  constexpr std::size_t width() const { return fixed_columns + stages_ * stage_columns.size(); }

  constexpr std::size_t length(TextSide side) const { return side; }
  constexpr std::size_t function_words(TextSide side) const { return 2 + side; }
  // The first column of a stage. stage(stages()) is the end of the last stage.
  constexpr std::size_t stage(std::size_t stage) const {
    return head_columns.size() + stage * stage_columns.size();
  }
  constexpr std::size_t content(std::size_t stage, TextSide side) const { return this->stage(stage) + side; }
  constexpr std::size_t function(std::size_t stage, TextSide side) const {
    return this->stage(stage) + 2 + side;
  }
  constexpr std::size_t chunks() const { return stage(stages_); }
  constexpr std::size_t word_matches(TextSide side) const { return chunks() + 1 + side; }

 private:
  static constexpr std::size_t fixed_columns = head_columns.size() + tail_columns.size();

  std::size_t stages_;
};

// The names of all columns, in order; those of a stage begin with its name.
inline std::vector<std::string> column_names(const std::vector<std::string>& stages) {
  std::vector<std::string> names;
  for (std::string_view column : StatisticsLayout::head_columns) names.emplace_back(column);
  for (const std::string& stage : stages) {
    for (std::string_view column : StatisticsLayout::stage_columns)
      names.push_back(stage + '_' + std::string(column));
  }
  for (std::string_view column : StatisticsLayout::tail_columns) names.emplace_back(column);
  return names;
}

}  // namespace bolide
