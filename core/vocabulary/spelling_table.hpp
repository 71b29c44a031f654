// Spellings and their numbers: a hash table for the look-ups of the vocabulary.
//
// Most words are short. Their bytes, filled up with zeros, are two machine words: loaded at once, hashed by
// one multiplication, compared without a loop. The first bytes of a spelling stand beside its number, so that
// a look-up is one access to the slots and one to the records.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace bolide {

class SpellingTable {
 public:
  SpellingTable() : slots_(1024), records_(1) {}

  // The number of a spelling, or -1.
  std::int32_t find(std::string_view spelling) const;
  // Appends the numbers of several spellings to `numbers`, in less time than one by one. They must be pieces
  // of one text, in its order.
  void find_all(std::span<const std::string_view> spellings, std::vector<std::int32_t>& numbers) const;
  // The number of a spelling, which is `number` if it was not there yet.
  std::int32_t find_or_add(std::string_view spelling, std::int32_t number);

 private:
  // The first bytes of a spelling, then zeros.
  struct Prefix {
    std::uint64_t first, second;
  };
  static constexpr std::size_t head_size = sizeof(Prefix);
  // A spelling on its way through the table.
  struct Query {
    Prefix head;
    std::uint32_t hash;
  };
  struct HashSlot {
    std::uint32_t hash = 0;
    std::uint32_t record = 0;  // where it begins in records_; 0 if the slot is empty
  };
  // A record is a Record, then what the head does not have, filled up to whole words.
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

  std::vector<HashSlot> slots_;         // open addressing; at most half of them are taken
  std::vector<std::uint64_t> records_;  // from 1 on
  std::size_t size_ = 0;
};

}  // namespace bolide
