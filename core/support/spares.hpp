// Large objects that are kept for later use by the same thread.
#pragma once

#include <utility>
#include <vector>

namespace bolide {

// Objects that an Owner no longer needs. Arrays over all keys of a vocabulary are such objects: where
// segments come one by one, making them again each time would be most of the work.
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
