// A hash table from spellings to numbers, for the look-ups of the vocabulary.
//
// Most words are short: padded with zeros, they fit into two machine words. These are loaded at once, hashed
// by one multiplication and compared without a loop. The first bytes of a spelling are stored beside its
// number, so that a look-up needs one access to the slots and one to the records.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace bolide {

class SpellingTable {
 public:
  SpellingTable() : slots_(1024), records_(1) {}

  // The number of a spelling; -1 if it is not in the table.
  std::int32_t find(std::string_view spelling) const;
  // Appends the numbers of several spellings to `numbers`. This is faster than one by one. The spellings must
  // be parts of one text, in its order.
  void find_all(std::span<const std::string_view> spellings, std::vector<std::int32_t>& numbers) const;
  // The number of a spelling. A new spelling is added with `number`.
  std::int32_t find_or_add(std::string_view spelling, std::int32_t number);

 private:
  // The first bytes of a spelling, padded with zeros.
  struct Prefix {
    std::uint64_t first, second;
  };
  static constexpr std::size_t head_size = sizeof(Prefix);
  // A spelling that is being looked up.
  struct Query {
    Prefix head;
    std::uint32_t hash;
  };
  struct HashSlot {
    std::uint32_t hash = 0;
    std::uint32_t record = 0;  // where the record begins in records_; 0 if the slot is empty
  };
  // A Record is followed by the bytes after the prefix, padded to whole machine words.
  struct Record {
    std::int32_t number;
    std::uint32_t size;
    Prefix head;
  };
  static constexpr std::size_t record_size = sizeof(Record) / sizeof(std::uint64_t);

  static Prefix head_of(std::string_view spelling, const char* readable_end);
  static Query query(std::string_view spelling, const char* readable_end);
  static Query query(std::string_view spelling) { return query(spelling, spelling.data() + spelling.size()); }
  std::size_t slot_of(std::string_view spelling, const Query& query) const;
  bool is_at(std::uint32_t record, std::string_view spelling, const Prefix& head) const;
  std::int32_t number_in(const HashSlot& slot) const;
  void grow();

  std::vector<HashSlot> slots_;         // open addressing; at most half of the slots are used
  std::vector<std::uint64_t> records_;  // index 0 is not used
  std::size_t size_ = 0;
};

}  // namespace bolide
