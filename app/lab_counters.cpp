#include "app/lab_counters.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "app/common/digits.h"
#include "app/common/lab_operations.h"

namespace warpview {
namespace {

using lab::Answer;
using lab::Question;

// "2,4,8" of the steps that touch shared memory.
std::string degrees(const KernelCounters& kernel) {
  std::string text;
  for (const CountedStep& step : kernel.steps)
    if (step.worst_degree > 0)
      text += fmt::format("{}{}", text.empty() ? "" : ",", step.worst_degree);
  return text;
}

constexpr const char* heads[] = {"launches", "shared",   "transact", "degree", "sectors",
                                 "/access",  "coalesce", "atomics",  "serial", "barriers",
                                 "collect.", "diverg.",  "operator", "depth"};

std::string row_of(std::string_view variant, std::string_view kernel,
                   const std::vector<std::string>& cells) {
  std::string row = fmt::format("  {:<22} {:<32}", variant, kernel);
  for (const std::string& cell : cells) row += fmt::format(" {:>8}", cell);
  return row + "\n";
}

std::string row_of(std::string_view variant, const KernelCounters& k) {
  std::vector<std::string> cells;
  for (const std::uint64_t count : {k.launches, k.shared_accesses, k.shared_transactions,
                                    std::uint64_t{k.worst_degree}, k.global_sectors})
    cells.push_back(std::to_string(count));
  cells.push_back(fmt::format("{:.2f}", k.sectors_each()));
  cells.push_back(fmt::format("{:.2f}", k.coalescing()));
  for (const std::uint64_t count : {k.atomics, k.atomic_rounds, k.barriers, k.collectives,
                                    k.divergent_branches, k.operators, k.depth})
    cells.push_back(std::to_string(count));
  return row_of(variant, k.name, cells);
}

void append_answer(std::string& text, const Answer& answer) {
  const char* variant = (*answer.variant)->name;
  std::string verdict;
  if (!answer.why_not.empty())
    verdict = answer.why_not;
  else if (!answer.difference.empty())
    verdict = "WRONG: " + answer.difference;
  else if (answer.counters.empty())
    verdict =
        runs_on_host(*answer.variant, Backend::cpu) ? "runs on the host" : "launches no kernel";
  if (!verdict.empty()) {
    text += fmt::format("  {:<22} {}\n", variant, verdict);
    return;
  }
  const char* once = variant;
  for (const KernelCounters& kernel : answer.counters) {
    text += row_of(once, kernel);
    once = "";
    if (const std::string steps = degrees(kernel); !steps.empty())
      text += fmt::format("  {:<22}   bank conflicts by step: {}\n", "", steps);
  }
  if (const std::string words = lab_facts(answer); !words.empty())
    text += fmt::format("  {:<22}   {}\n", "", words);
}

}  // namespace

std::string counters_as_text(const std::vector<Answer>& answers, unsigned warp_size,
                             unsigned banks) {
  std::string text =
      fmt::format("warps of {} lanes, shared memory in {} banks of 4 bytes\n", warp_size, banks);
  const Question* last = nullptr;
  for (const Answer& answer : answers) {
    const Question& question = answer.question;
    const lab::ExperimentKind& kind = lab::experiment(question.primitive);
    if (!last || *last != question) {
      text += fmt::format("\n{}, {}: {} {}, {}\n", title(question.primitive),
                          kind.forms[static_cast<std::size_t>(question.form)].name,
                          group_digits(question.n), kind.items, to_string(question.distribution));
      text += row_of("variant", "kernel", {std::begin(heads), std::end(heads)});
    }
    last = &question;
    append_answer(text, answer);
  }
  text +=
      "\nshared: warps' accesses to shared memory. transact: transactions they took. degree: "
      "largest bank-conflict\ndegree, also by step of the first block. sectors: 32-byte sectors of "
      "global memory; /access: sectors per\naccess of a warp; coalesce: minimum sectors for the "
      "requested bytes / sectors. atomics: one per lane; serial: rounds\nof atomics, as lanes of a "
      "warp "
      "contend on one address. barriers: block barriers. collect.: warp\ncollectives (shuffle, "
      "ballot, match, sync). diverg.: divergent branches. operator: applications of a\nscan's "
      "operator; depth: the longest chain of dependent ones.\n";
  return text;
}

nlohmann::ordered_json counters_as_json(const std::vector<KernelCounters>& kernels) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const KernelCounters& k : kernels) {
    Json steps = Json::array();
    for (const CountedStep& step : k.steps)
      steps.push_back({{"worst_degree", step.worst_degree},
                       {"shared_accesses", step.shared_accesses},
                       {"shared_transactions", step.shared_transactions},
                       {"global_sectors", step.global_sectors},
                       {"operators", step.operators}});
    all.push_back({{"kernel", k.name},
                   {"launches", k.launches},
                   {"blocks", k.blocks},
                   {"threads", k.threads},
                   {"shared_accesses", k.shared_accesses},
                   {"shared_transactions", k.shared_transactions},
                   {"worst_degree", k.worst_degree},
                   {"global_accesses", k.global_accesses},
                   {"global_sectors", k.global_sectors},
                   {"global_sectors_least", k.global_sectors_least},
                   {"atomics", k.atomics},
                   {"atomic_rounds", k.atomic_rounds},
                   {"barriers", k.barriers},
                   {"collectives", k.collectives},
                   {"divergent_branches", k.divergent_branches},
                   {"operators", k.operators},
                   {"depth", k.depth},
                   {"steps", std::move(steps)}});
  }
  return all;
}

}  // namespace warpview
