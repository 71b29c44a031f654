// Runs work on blocks of a range in several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace bolide {

constexpr std::size_t block_size = 32;  // number of items that a thread takes at a time

// Calls work(first, last) for blocks of 0 .. count in several threads; make() makes the `work` of a thread.
// For items that take long, `block` should be 1. Rethrows the first exception when all threads have ended.
template <typename MakeWorker>
void in_blocks(std::size_t count, int threads, const MakeWorker& make, std::size_t block = block_size) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto loop = [&] {
    try {
      auto work = make();
      for (std::size_t first; (first = next.fetch_add(block)) < count;) {
        work(first, std::min(first + block, count));
      }
    } catch (...) {
      next = count;
      std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  const std::size_t wanted =
      std::min(static_cast<std::size_t>(std::max(threads, 1)), (count + block - 1) / block);
  std::vector<std::thread> others;
  try {
    for (std::size_t k = 1; k < wanted; ++k) others.emplace_back(loop);
  } catch (const std::system_error&) {
    // The system has no more threads: continue with fewer.
  }
  loop();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bolide
