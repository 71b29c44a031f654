// What all targets of the core share.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Ends the program, which libFuzzer reports as a finding, unless the condition holds.
inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// The body of a target: FUZZ_TARGET(input) { ... }. Numbers are taken from the end of the input, texts from
// its start, so that a seed can be a plain text.
#define FUZZ_TARGET(input)                                                           \
  static void fuzz_one(FuzzedDataProvider input);                                    \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size); \
  int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {           \
    fuzz_one(FuzzedDataProvider(data, size));                                        \
    return 0;                                                                        \
  }                                                                                  \
  static void fuzz_one(FuzzedDataProvider input)
