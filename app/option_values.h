// Words of the command line as values: what CLI11 does not read, or reads too generously.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "gpu/runtime/error.h"
#include "scenes/description.h"

namespace warpview {

// "1280x720". Throws CLI::ValidationError.
std::pair<int, int> parse_size(const std::string& text);

// "4096", "2^12" or "2^10..2^20", the powers of two from one to the other. Throws
// CLI::ValidationError.
std::vector<std::uint32_t> parse_sizes(const std::string& text);

// "0,1,4,0,0,0" or with the degrees of the field of view: what a scene file's camera says. Throws
// CLI::ValidationError.
Viewpoint parse_camera(const std::string& text);

// A whole number in decimals that `Number`, an unsigned type, can hold: the parser itself would
// make the largest of -1.
template <class Number>
CLI::Validator whole_number() {
  return {[](const std::string& text) -> std::string {
            Number value = 0;
            const char* end = text.data() + text.size();
            const auto parsed = std::from_chars(text.data(), end, value);
            if (parsed.ec == std::errc() && parsed.ptr == end) return "";
            return fmt::format("\"{}\": write a whole number from 0 to {}", text,
                               std::numeric_limits<Number>::max());
          },
          ""};
}

// A number from `least` to `most`: the parser's own range lets nan in.
CLI::Validator between(double least, double most);

// Turns the library's complaint about a word on the command line into the parser's.
template <class Function>
void or_wrong_usage(const char* option, Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    throw CLI::ValidationError(option, error.what());
  }
}

// Would writing the one overwrite the other? A terminal, a pipe or /dev/null can take several.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// Does the shell send there what the program prints?
bool is_standard_output(const std::filesystem::path& file);

}  // namespace warpview
