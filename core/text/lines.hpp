// Lines of text, cut from blocks of bytes as they are read.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bolide {

// Some lines, without their ends; copies and parts share their memory.
class Lines {
 public:
  std::size_t size() const { return last_ - first_; }
  std::string_view operator[](std::size_t k) const { return storage_->lines[first_ + k]; }
  Lines part(std::size_t first, std::size_t last) const;

 private:
  friend class LineBuffer;
  struct Storage {
    std::string bytes;
    std::vector<std::string_view> lines;  // of `bytes`
  };
  std::shared_ptr<const Storage> storage_;
  std::size_t first_ = 0, last_ = 0;
};

// A line that is not UTF-8.
struct BadLine : std::runtime_error {
  explicit BadLine(std::string_view bytes) : std::runtime_error("not UTF-8"), line(bytes) {}
  std::string line;
};

// Feed it blocks of any size, take lines from it.
class LineBuffer {
 public:
  // Lines end at LF, and a CR before it belongs to the end; or, as Java reads, at LF, CR, or CR LF.
  explicit LineBuffer(bool java_ends) : java_ends_(java_ends) {}

  void feed(std::string_view block);
  // Nothing more will come: what is left is the last line, if it is not empty.
  void close();
  // Complete lines that are not taken yet.
  std::size_t available() const { return ends_.size() - first_; }

  // The next lines, at most so many. BadLine if one is not UTF-8; those before it then count as taken.
  Lines take(std::size_t count);
  std::size_t taken() const { return taken_; }

 private:
  struct End {
    std::size_t end, next;  // where the line ends, where the next begins
  };
  std::optional<End> find_end() const;
  void find_lines();

  bool java_ends_;
  bool closed_ = false;
  bool returns_ = false;  // whether a CR may be an end in what is to be searched
  std::string bytes_;
  std::vector<End> ends_;     // of the complete lines
  std::size_t first_ = 0;     // of ends_ that is not taken yet,
  std::size_t begin_ = 0;     // and where its line begins
  std::size_t next_ = 0;      // where the line begins that is not complete yet,
  std::size_t searched_ = 0;  // and up to where its end has been looked for
  std::size_t taken_ = 0;
};

bool is_utf8(std::string_view text);

}  // namespace bolide
