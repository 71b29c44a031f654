// Macros for what differs between compilers. Other files of the core are standard C++20, except for code that
// is compiled only with these macros, and bindings/mapped_file.cpp.
//
// With the CMake option BOLIDE_PLAIN, everything here is standard C++, so that tests on any system can check
// these versions. Results do not depend on it.
#pragma once

#include "support/wide_number.hpp"

#if defined(_MSC_VER) && !defined(BOLIDE_PLAIN)
#include <intrin.h>
#endif

// Functions for AVX2 and AVX-512. GCC for Windows does not align the stack to 32 bytes, as they need
// (GCC bug 54412).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(BOLIDE_PLAIN) && \
    (!defined(_WIN32) || defined(__clang__))
#define BOLIDE_X86 1
// A function may use the set; the rest of its file is compiled for every processor.
#define BOLIDE_AVX2 __attribute__((target("avx2,popcnt")))
#define BOLIDE_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))
#endif

// SSE2, which all 64-bit x86 processors have.
#if (defined(__SSE2__) || defined(_M_X64)) && !defined(BOLIDE_PLAIN)
#define BOLIDE_SSE2 1
#endif

// NEON, which all 64-bit ARM processors have.
#if defined(__aarch64__) && !defined(BOLIDE_PLAIN)
#define BOLIDE_NEON 1
#endif

// An inline function that is compiled for the instructions of its caller.
#if defined(__GNUC__) && !defined(BOLIDE_PLAIN)
#define BOLIDE_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define BOLIDE_ALWAYS_INLINE inline
#endif

// Unrolls the loop that follows, if the compiler can be asked to.
#if defined(__GNUC__) && !defined(BOLIDE_PLAIN)
#define BOLIDE_PRAGMA(text) _Pragma(#text)
#define BOLIDE_UNROLL(times) BOLIDE_PRAGMA(GCC unroll times)
#else
#define BOLIDE_UNROLL(times)
#endif

// std::to_chars for floating-point numbers is missing from macOS before 13.3.
#ifdef __ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__
#define BOLIDE_MACOS_VERSION __ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__
#else
#define BOLIDE_MACOS_VERSION 999999
#endif
#if BOLIDE_MACOS_VERSION >= 130300 && !defined(BOLIDE_PLAIN)
#define BOLIDE_FLOAT_TO_CHARS 1
#endif

namespace bolide {

#if defined(__SIZEOF_INT128__) && !defined(BOLIDE_PLAIN)
__extension__ typedef unsigned __int128 Uint128;
#else
using Uint128 = WideNumber;
#endif

// Asks the CPU to load what is at this address, which is needed soon. The empty assembly is because GCC takes
// a function that only prefetches for one without effect, and removes its calls.
inline void prefetch([[maybe_unused]] const void* address) {
#ifdef BOLIDE_PLAIN
#elif defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
  __asm__ volatile("");
#elif defined(_M_X64)
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#elif defined(_M_ARM64)
  __prefetch(address);
#endif
}

}  // namespace bolide
