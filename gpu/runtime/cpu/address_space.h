// What a limit of the address space (RLIMIT_AS, ulimit -v) leaves this program.
#pragma once

#include <cstdint>
#include <filesystem>

namespace warpview {

// In bytes; the largest number if there is no limit. `root` is the folder that contains proc.
std::uint64_t address_space_available(const std::filesystem::path& root = "/");

}  // namespace warpview
