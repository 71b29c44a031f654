#include "learning/word_links.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

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

class LinkSet {
 public:
  bool has(const Link& link) const { return points_.count(turned(link)) > 0; }
  bool has_source(std::int32_t word) const { return sources_.count(word) > 0; }
  bool has_target(std::int32_t word) const { return targets_.count(word) > 0; }
  void add(const Link& link) {
    points_.insert(turned(link));
    sources_.insert(link.source);
    targets_.insert(link.target);
  }

  // Adds neighbours until there is nothing to add. If a new link comes before the current one in the order,
  // it is visited in the next round.
  void grow(const std::vector<Link>& candidates) {
    for (bool added = true; added;) {
      added = false;
      for (auto point = points_.begin(); point != points_.end(); ++point) {
        for (const Link& step : neighbours) {
          const Link link{point->source_ + step.source, point->target_ + step.target};
          const bool brings = !has_source(link.source) || !has_target(link.target);
          if (!brings || !std::binary_search(candidates.begin(), candidates.end(), link)) continue;
          add(link);
          added = true;
        }
      }
    }
  }

  void complete(const std::vector<Link>& direction) {
    for (const TurnedLink& point : ordered(direction)) {
      if (!has_source(point.source_) && !has_target(point.target_)) add({point.source_, point.target_});
    }
  }

  std::vector<Link> links() const {
    std::vector<Link> found;
    for (const TurnedLink& point : points_) found.push_back({point.source_, point.target_});
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  struct TurnedLink {  // sorts by target first
    std::int32_t target_, source_;
    friend auto operator<=>(const TurnedLink&, const TurnedLink&) = default;
  };
  static TurnedLink turned(const Link& link) { return {link.target, link.source}; }
  static std::set<TurnedLink> ordered(const std::vector<Link>& links) {
    std::set<TurnedLink> found;
    for (const Link& link : links) found.insert(turned(link));
    return found;
  }

  std::set<TurnedLink> points_;
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
