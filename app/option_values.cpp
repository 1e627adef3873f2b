#include "app/option_values.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace warpview {

std::pair<int, int> parse_size(const std::string& text) {
  int width = 0;
  int height = 0;
  int end = 0;
  // %n tells that nothing follows the numbers.
  const int found = std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &end);  // NOLINT
  constexpr int most = 16384;
  if (found != 2 || static_cast<std::size_t>(end) != text.size() || width < 1 || height < 1 ||
      width > most || height > most)
    throw CLI::ValidationError("--size",
                               "write it as WIDTHxHEIGHT with 1 to 16384 each, for "
                               "example 1280x720");
  return {width, height};
}

std::vector<std::uint32_t> parse_sizes(const std::string& text) {
  constexpr unsigned most_exponent = 31;
  constexpr std::uint64_t most = std::uint64_t{1} << most_exponent;
  const auto complain = [&text] {
    throw CLI::ValidationError(
        "--sizes", "\"" + text + "\": write sizes of at most 2^31 as 4096, 2^12 or 2^10..2^28");
  };
  const auto exponent = [&complain](std::string_view word) {
    unsigned value = 0;
    if (word.substr(0, 2) != "2^") complain();
    const char* end = word.data() + word.size();
    const auto parsed = std::from_chars(word.data() + 2, end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || value > most_exponent) complain();
    return value;
  };
  std::vector<std::uint32_t> sizes;
  if (const std::size_t dots = text.find(".."); dots != std::string::npos) {
    const unsigned last = exponent(std::string_view(text).substr(dots + 2));
    for (unsigned e = exponent(std::string_view(text).substr(0, dots)); e <= last; ++e)
      sizes.push_back(1U << e);
    if (sizes.empty()) complain();
  } else if (text.substr(0, 2) == "2^") {
    sizes.push_back(1U << exponent(text));
  } else {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || value > most) complain();
    sizes.push_back(static_cast<std::uint32_t>(value));
  }
  return sizes;
}

Viewpoint parse_camera(const std::string& text) {
  const auto complain = [&text](const std::string& why) {
    constexpr std::size_t longest = 100;
    throw CLI::ValidationError("--camera", fmt::format("\"{}{}\": {}", text.substr(0, longest),
                                                       text.size() > longest ? "..." : "", why));
  };
  constexpr std::size_t without_angle = 6;
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (words.size() != without_angle && words.size() != without_angle + 1)
    complain(
        fmt::format("write 6 or 7 numbers, X,Y,Z,X,Y,Z or X,Y,Z,X,Y,Z,DEGREES, for example "
                    "0,1,4,0,0,0; there {} {}",
                    words.size() == 1 ? "is" : "are", words.size()));
  std::array<float, without_angle + 1> numbers{};
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].empty() || !CLI::detail::lexical_cast(words[i], numbers[i]) ||
        !std::isfinite(numbers[i]))
      complain(fmt::format("number {}, \"{}\", is not a finite number", i + 1,
                           words[i].substr(0, 20)));  // NOLINT(readability-magic-numbers)
  Viewpoint viewpoint{.eye = {numbers[0], numbers[1], numbers[2]},
                      .target = {numbers[3], numbers[4], numbers[5]}};
  if (const std::string why = why_no_view(viewpoint.eye, viewpoint.target); !why.empty())
    complain(why);
  if (words.size() > without_angle) {
    viewpoint.field_of_view = numbers[without_angle];
    if (!(*viewpoint.field_of_view >= Viewpoint::least_field_of_view &&
          *viewpoint.field_of_view <= Viewpoint::most_field_of_view))
      complain(fmt::format("the field of view must be {} to {} degrees",
                           Viewpoint::least_field_of_view, Viewpoint::most_field_of_view));
  }
  return viewpoint;
}

CLI::Validator between(double least, double most) {
  return {[least, most](const std::string& text) -> std::string {
            double value = 0.0;
            if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most)
              return "";
            return fmt::format("\"{}\": write a number from {} to {}", text, least, most);
          },
          ""};
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  namespace fs = std::filesystem;
  if (a.empty() || b.empty()) return false;
  std::error_code none;
  const fs::file_status status = fs::status(a, none);
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  if (fs::equivalent(a, b, none)) return true;
  // There is no such file yet, so that the names must tell.
  const fs::path whole_a = fs::weakly_canonical(a, none);
  return !none && whole_a == fs::weakly_canonical(b, none);
}

bool is_standard_output(const std::filesystem::path& file) {
  struct stat of_file {};
  struct stat of_output {};
  return !file.empty() && ::stat(file.c_str(), &of_file) == 0 && S_ISREG(of_file.st_mode) &&
         ::fstat(STDOUT_FILENO, &of_output) == 0 && of_file.st_dev == of_output.st_dev &&
         of_file.st_ino == of_output.st_ino;
}

}  // namespace warpview
