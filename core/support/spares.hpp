// Keeps large objects for later use by the same thread.
#pragma once

#include <utility>
#include <vector>

namespace bolide {

// Objects that an Owner no longer needs, such as arrays over all keys of a vocabulary. If segments are scored
// one by one, most of the time would be spent on making such arrays.
template <typename Owner, typename Object>
class Spares {
 public:
  // A spare object, or a new one.
  static Object take() {
    std::vector<Object>& spares = all();
    if (spares.empty()) return {};
    Object object = std::move(spares.back());
    spares.pop_back();
    return object;
  }
  static void give(Object object) { all().push_back(std::move(object)); }

 private:
  static std::vector<Object>& all() {
    thread_local std::vector<Object> spares;
    return spares;
  }
};

}  // namespace bolide
