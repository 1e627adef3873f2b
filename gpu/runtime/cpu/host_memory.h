// How much memory the host can still give this program.
#pragma once

#include <cstdint>
#include <filesystem>

namespace warpview {

// Bytes of host memory that this program can still have without swapping: the least of what the
// system has (MemAvailable), what the program's control groups leave of their limits, and what
// RLIMIT_AS (ulimit -v) leaves of the address space. Files that are merely cached count as free,
// since they are evicted. The largest number if none of these is known.
//
// `root` is the folder that contains proc and sys; the limit of the address space is this program's
// own.
std::uint64_t host_memory_available(const std::filesystem::path& root = "/");

}  // namespace warpview
