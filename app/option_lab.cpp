#include "app/option_lab.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/option_values.h"
#include "gpu/faults/faults.h"

namespace warpview {
namespace {

// What is read once the command line is parsed.
struct LabWords {
  std::vector<std::string> primitives, sizes, input;
  std::string distribution, blocks;
  bool json = false;
  bool csv = false;
};

void list(CLI::Option* option) {
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->delimiter(',')
      ->allow_extra_args(false);
}

// What is asked, and of which items.
void add_questions(CLI::App* lab, LabOptions& asked, LabWords& words) {
  lab->add_option("PRIMITIVE", words.primitives,
                  "Primitives to run; default: all. Or: faults NAME, kernels that are wrong on "
                  "purpose, on the cpu alone; without NAME it lists them");
  list(lab->add_option("--sizes", words.sizes,
                       "Items: 4096, 2^12 or 2^10..2^28; repeatable or separated by commas"));
  list(lab->add_option("--form", asked.forms,
                       "Forms (types and operators) by name, or all; repeatable"));
  list(lab->add_option("--variant", asked.variants,
                       "Only these variants, by name: lookback,library; repeatable. One that needs "
                       "independent thread scheduling then also runs with --lockstep"));
  lab->add_option("--distribution", words.distribution, "Distribution of the input")
      ->check(
          CLI::IsMember({"uniform", "few", "skewed", "sorted", "reversed", "constant", "small"}));
  lab->add_option("--input-seed", asked.seed, "Same seed, same input")
      ->check(whole_number<decltype(asked.seed)>());
  list(lab->add_option("--input", words.input,
                       "The items themselves, instead of random ones: up to 64 whole numbers, "
                       "8,1,7,4,6,3,5,2; for primitives whose items are whole numbers"));
  for (const char* other : {"--sizes", "--distribution", "--input-seed"})
    lab->get_option("--input")->excludes(lab->get_option(other));
}

// How often it runs, and what is printed.
void add_runs(CLI::App* lab, LabOptions& asked, LabWords& words) {
  lab->add_option("--runs", asked.runs, "Timed runs per variant")->check(CLI::Range(1, 1'000'000));
  lab->add_flag("--verify", asked.only_verify,
                "Compare every result with its reference, without timing");
  auto* json = lab->add_flag("--json", words.json, "Print JSON, for programs");
  auto* csv = lab->add_flag("--csv", words.csv, "Print CSV, for spreadsheets")->excludes(json);
  auto* counters = lab->add_flag(
      "--counters", asked.counters,
      "Count instead of timing, on the cpu: bank conflicts, memory transactions, atomics ...");
  counters->excludes(csv);
  lab->add_option("--banks", asked.banks, "Banks of shared memory, for --counters")
      ->check(CLI::IsMember({16, 32}))
      ->needs(counters)
      ->capture_default_str();
}

void add_plots(CLI::App* lab, LabOptions& asked) {
  const CLI::Validator is_picture(
      [](const std::string& name) {
        const std::string end = std::filesystem::path(name).extension().string();
        return end == ".svg" || end == ".png" ? "" : "name a file that ends in .svg or .png";
      },
      "FILE.svg|FILE.png");
  lab->add_option("--plot", asked.plot,
                  "Plot time against size for one primitive into a .svg or .png file")
      ->check(is_picture)
      ->excludes(lab->get_option("--verify"))
      ->excludes(lab->get_option("--counters"));
  lab->add_option("--busy", asked.busy,
                  "Plot the fraction of busy blocks over a run into a .svg or .png file, for one "
                  "size of a primitive that records it, such as schedule")
      ->check(is_picture)
      ->excludes(lab->get_option("--verify"))
      ->excludes(lab->get_option("--counters"));
}

void add_record(CLI::App* lab, LabOptions& asked, LabWords& words) {
  auto* record = lab->add_option("--record", asked.record,
                                 "Record every access of one variant, in one form and size, on the "
                                 "cpu, into a .wvrec or .json file; .html: a page that plays it; "
                                 ".svg: a picture of one step");
  record
      ->check(CLI::Validator(
          [](const std::string& name) {
            const std::string end = std::filesystem::path(name).extension().string();
            return end == ".wvrec" || end == ".json" || end == ".html" || end == ".svg"
                       ? ""
                       : "name a file that ends in .wvrec, .json, .html or .svg";
          },
          "FILE.wvrec|FILE.json|FILE.html|FILE.svg"))
      ->excludes(lab->get_option("--verify"))
      ->excludes(lab->get_option("--json"))
      ->excludes(lab->get_option("--csv"))
      ->excludes(lab->get_option("--counters"))
      ->excludes(lab->get_option("--plot"))
      ->excludes(lab->get_option("--busy"))
      ->excludes(lab->get_option("--runs"));
  auto* mesh = lab->add_option(
      "--mesh", asked.mesh,
      "For --record: a FILE or generated mesh. Its first triangles are the input: corners, boxes, "
      "Morton codes or a tree, as the primitive takes them. --sizes says how many: 1024 by "
      "default, "
      "256 on a page");
  mesh->needs(record);
  for (const char* other : {"--input", "--distribution", "--input-seed"})
    mesh->excludes(lab->get_option(other));
  lab->add_option(
         "--interleave", asked.interleave,
         "For --record: after one in N accesses to global memory, --seed chooses the block "
         "and the lanes that run next; 0: blocks run whole, one after another")
      ->check(whole_number<decltype(asked.interleave)>())
      ->needs(record)
      ->capture_default_str();
  lab->add_option("--blocks", words.blocks,
                  "For --record: only the accesses of these blocks of each launch, such as 0,3-5; "
                  "for runs that are too long to be recorded whole")
      ->needs(record);
}

void finish_lab(const LabWords& words, Options& options) {
  LabOptions& asked = options.lab;
  options.command = Options::Command::lab;
  or_wrong_usage("PRIMITIVE", [&] {
    for (const std::string& name : words.primitives) {
      if (name == "faults")
        asked.faults = true;
      else if (asked.faults)
        asked.variants.emplace_back(find_fault(name).name);
      else
        asked.primitives.push_back(find_primitive(name));
    }
  });
  if (asked.seeds && !asked.faults)
    throw CLI::ValidationError("--seeds", "it goes with: warpview lab faults");
  for (const std::string& text : words.sizes)
    for (const std::uint32_t n : parse_sizes(text)) asked.sizes.push_back(n);
  or_wrong_usage("--input", [&] {
    if (!words.input.empty())
      asked.typed = lab::typed_numbers(fmt::format("{}", fmt::join(words.input, ",")));
  });
  or_wrong_usage("--blocks", [&] { asked.blocks = parse_blocks(words.blocks); });
  if (!words.distribution.empty()) asked.distribution = lab::find_distribution(words.distribution);
  if (words.json) asked.format = LabOptions::Format::json;
  if (words.csv) asked.format = LabOptions::Format::csv;
}

}  // namespace

CLI::App* add_lab(CLI::App& app, Options& options, std::function<void()>& finish) {
  const auto words = std::make_shared<LabWords>();
  LabOptions& asked = options.lab;
  CLI::App* lab = app.add_subcommand("lab", "Run all variants of primitives side by side");
  lab->fallthrough();  // --backend and its kin may follow it
  add_questions(lab, asked, *words);
  add_runs(lab, asked, *words);
  add_plots(lab, asked);
  add_record(lab, asked, *words);
  lab->add_option("--seeds", asked.seeds,
                  "For faults: run the --variant with this many seeds, from --seed on; 100")
      ->check(CLI::Range(1, 1'000'000));
  lab->footer(
      "warpview lab faults lists kernels that are wrong on purpose: find the bug. They are no "
      "variants,\nno other command runs them, and only the cpu device has them.\n\nEach variant is "
      "compared with a sequential reference before it is timed. Exit status as "
      "for\nwarpview; 5: a result differs; 1 with --verify: no result could be computed.");
  finish = [words, &options] { finish_lab(*words, options); };
  return lab;
}

}  // namespace warpview
