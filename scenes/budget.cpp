#include "scenes/budget.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>

namespace warpview {
namespace {

// From how many units on `next` is cheaper than `now`, which is cheaper before; none: never.
std::optional<double> crossing(const Contender& now, const Contender& next) {
  if (next.each_ns >= now.each_ns) return {};
  return (next.once_ms - now.once_ms) / (1e-6 * (now.each_ns - next.each_ns));
}

std::optional<std::size_t> cheapest_without_work(std::span<const Contender> contenders) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const Contender& one = contenders[i];
    if (!one.is_measured()) continue;
    const bool is_better =
        !best || one.once_ms < contenders[*best].once_ms ||
        (one.once_ms == contenders[*best].once_ms && one.each_ns < contenders[*best].each_ns);
    if (is_better) best = i;
  }
  return best;
}

std::string number_in_words(double n) {
  if (n < 1e3) return fmt::format("{:.0f}", n);
  if (n < 1e6) return fmt::format("{:.3g} thousand", 1e-3 * n);
  if (n < 1e9) return fmt::format("{:.3g} million", 1e-6 * n);
  return fmt::format("{:.3g} billion", 1e-9 * n);
}

}  // namespace

std::string Contender::letter() const {
  std::string words = group;
  for (char& letter : words)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return words;
}

std::vector<Cheapest> cheapest_of(std::span<const Contender> contenders) {
  std::vector<Cheapest> found;
  std::optional<std::size_t> now = cheapest_without_work(contenders);
  double from = 0.0;
  while (now) {
    found.push_back({from, *now});
    // The first to become cheaper; of several at one place, the one that stays so.
    std::optional<std::size_t> next;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      if (!contenders[i].is_measured()) continue;
      const std::optional<double> at = crossing(contenders[*now], contenders[i]);
      if (!at || (next && *at > from)) continue;
      if (next && *at == from && contenders[i].each_ns >= contenders[*next].each_ns) continue;
      from = *at;
      next = i;
    }
    now = next;
  }
  return found;
}

std::string cheapest_in_words(const Budgets& budgets) {
  const std::vector<Cheapest> cheapest = cheapest_of(budgets.contenders);
  std::string words;
  for (std::size_t i = 0; i < cheapest.size(); ++i) {
    words += i > 0 ? ", then " : "";
    words += budgets.contenders[cheapest[i].contender].letter();
    if (i + 1 < cheapest.size())
      words += fmt::format(" up to {} {}", number_in_words(cheapest[i + 1].from), budgets.unit);
  }
  return words;
}

}  // namespace warpview
