#include "learning/word_links.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace bolide {

namespace {

// The steps to neighbouring links, in the order in which they are tried: straight ones first.
constexpr Link neighbours[] = {{0, -1}, {-1, 0}, {0, 1}, {1, 0}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

std::int32_t parse_number(std::string_view line, std::size_t& at) {
  std::int32_t number = -1;
  const auto [end, error] = std::from_chars(line.data() + at, line.data() + line.size(), number);
  if (error != std::errc{} || number < 0) throw std::invalid_argument("not links such as 0-0 1-2");
  at = static_cast<std::size_t>(end - line.data());
  return number;
}

struct ByTarget {
  bool operator()(const Link& a, const Link& b) const {
    return std::pair(a.target, a.source) < std::pair(b.target, b.source);
  }
};
using LinksByTarget = std::set<Link, ByTarget>;

class LinkSet {
 public:
  void add(const Link& link) {
    links_.insert(link);
    sources_.insert(link.source);
    targets_.insert(link.target);
  }

  // Adds neighbours until there is nothing to add. If a new link comes before the current one in the order,
  // it is visited in the next round.
  void grow(const std::vector<Link>& candidates) {
    for (bool added = true; added;) {
      added = false;
      for (const Link& point : links_) {
        for (const Link& step : neighbours) {
          const Link link{point.source + step.source, point.target + step.target};
          const bool brings = !sources_.contains(link.source) || !targets_.contains(link.target);
          if (!brings || !std::binary_search(candidates.begin(), candidates.end(), link)) continue;
          add(link);
          added = true;
        }
      }
    }
  }

  void complete(const std::vector<Link>& direction) {
    for (const Link& link : LinksByTarget(direction.begin(), direction.end())) {
      if (!sources_.contains(link.source) && !targets_.contains(link.target)) add(link);
    }
  }

  std::vector<Link> links() const {
    std::vector<Link> found(links_.begin(), links_.end());
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  LinksByTarget links_;
  std::set<std::int32_t> sources_, targets_;
};

std::vector<Link> sorted(std::vector<Link> links) {
  std::sort(links.begin(), links.end());
  return links;
}

}  // namespace

void parse_links(std::string_view line, std::vector<Link>& links) {
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == ' ') {
      ++at;
      continue;
    }
    const std::int32_t source = parse_number(line, at);
    if (at >= line.size() || line[at] != '-') throw std::invalid_argument("not links such as 0-0 1-2");
    links.push_back({source, parse_number(line, ++at)});
  }
}

void append_links(const std::vector<Link>& links, std::string& line) {
  const char* between = "";
  for (const Link& link : links) {
    line += between;
    line += std::to_string(link.source);
    line += '-';
    line += std::to_string(link.target);
    between = " ";
  }
}

std::vector<Link> grow_diag_final_and(const std::vector<Link>& first, const std::vector<Link>& second) {
  const std::vector<Link> one = sorted(first), two = sorted(second);
  std::vector<Link> both, either;
  std::set_intersection(one.begin(), one.end(), two.begin(), two.end(), std::back_inserter(both));
  std::set_union(one.begin(), one.end(), two.begin(), two.end(), std::back_inserter(either));
  LinkSet points;
  for (const Link& link : both) points.add(link);
  points.grow(either);
  points.complete(one);
  points.complete(two);
  return points.links();
}

}  // namespace bolide
