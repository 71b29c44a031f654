// Cuts blocks of bytes, as they are read from a file, into lines of text.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bolide {

// Lines without their line ends. Copies and parts share their memory.
class Lines {
 public:
  std::size_t size() const { return last_ - first_; }
  std::string_view operator[](std::size_t k) const { return storage_->lines[first_ + k]; }
  Lines part(std::size_t first, std::size_t last) const;

 private:
  friend class LineBuffer;
  struct Storage {
    std::string bytes;
    std::vector<std::string_view> lines;  // views into `bytes`
  };
  std::shared_ptr<const Storage> storage_;
  std::size_t first_ = 0, last_ = 0;
};

// A line that is not UTF-8.
struct BadLine : std::runtime_error {
  explicit BadLine(std::string_view bytes) : std::runtime_error("not UTF-8"), line(bytes) {}
  std::string line;
};

// Collects blocks of any size, and gives out the lines in them.
class LineBuffer {
 public:
  // Lines end at LF or CR LF; with `java_ends`, as in Java, also at CR alone.
  explicit LineBuffer(bool java_ends) : java_ends_(java_ends) {}

  void feed(std::string_view block);
  // The input has ended. The rest is the last line, unless it is empty.
  void close();
  // How many complete lines have not been taken yet.
  std::size_t available() const { return ends_.size() - first_; }
  // The size of all lines that have not been taken yet, and of the incomplete line at the end, in bytes.
  std::size_t waiting() const { return bytes_.size() - begin_; }
  std::size_t incomplete() const { return bytes_.size() - next_; }

  // Takes the next lines, at most `count`. Throws BadLine if a line is not UTF-8; the lines before it then
  // count as taken.
  Lines take(std::size_t count);
  std::size_t taken() const { return taken_; }

 private:
  struct End {
    std::size_t end, next;  // where the line ends, and where the next line begins
  };
  std::optional<End> find_end() const;
  void find_lines();

  bool java_ends_;
  bool closed_ = false;
  bool returns_ = false;  // whether the part to be searched contains a CR that may end a line
  std::string bytes_;
  std::vector<End> ends_;     // of the complete lines
  std::size_t first_ = 0;     // the first of ends_ that has not been taken
  std::size_t begin_ = 0;     // where that line begins
  std::size_t next_ = 0;      // where the incomplete line begins
  std::size_t searched_ = 0;  // how far its end has been searched for
  std::size_t taken_ = 0;
};

bool is_utf8(std::string_view text);

}  // namespace bolide
