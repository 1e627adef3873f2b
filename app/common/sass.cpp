#include "app/common/sass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "app/common/process.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

constexpr const char* how_to_install =
    "It comes with the CUDA toolkit (apt install nvidia-cuda-toolkit, or NVIDIA's packages "
    "cuda-cuobjdump and cuda-nvdisasm): add it to PATH, or set CUDA_HOME";

std::string_view stripped(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

struct Kernel {
  int architecture = 0;
  std::string symbol;
  std::vector<std::string> instructions;
};

// "/*0010*/    IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;   /* 0x00000a00ff017624 */": without its
// encoding. Empty for other lines.
std::string instruction_of(std::string_view line) {
  line = stripped(line);
  if (!line.starts_with("/*")) return {};
  const std::size_t address_end = line.find("*/");
  const std::string_view address = line.substr(0, address_end + 2);
  if (address_end == std::string_view::npos || address.starts_with("/* ")) return {};
  std::string_view rest = line.substr(address.size());
  rest = stripped(rest.substr(0, rest.find("/*")));
  if (rest.empty()) return {};
  return fmt::format("{}  {}", address, rest);
}

std::vector<Kernel> kernels_in(std::string_view printed) {
  constexpr std::string_view code_mark = "code for sm_";
  constexpr std::string_view function_mark = "Function : ";
  std::vector<Kernel> kernels;
  int architecture = 0;
  bool inside = false;
  while (!printed.empty()) {
    const std::size_t end = std::min(printed.find('\n'), printed.size());
    const std::string_view line = stripped(printed.substr(0, end));
    printed.remove_prefix(std::min(end + 1, printed.size()));
    if (line.starts_with(code_mark)) {
      const std::string_view digits = line.substr(code_mark.size());
      std::from_chars(digits.data(), digits.data() + digits.size(), architecture);
      inside = false;
    } else if (line.starts_with(function_mark)) {
      kernels.push_back({architecture, std::string(line.substr(function_mark.size())), {}});
      inside = true;
    } else if (inside && line.starts_with("....")) {
      inside = false;
    } else if (inside) {
      if (std::string each = instruction_of(line); !each.empty())
        kernels.back().instructions.push_back(std::move(each));
    }
  }
  return kernels;
}

// The newest architecture that the GPU can run; without one, or without a GPU, the newest of all.
int best_architecture(const std::vector<Kernel>& kernels, int capability) {
  int newest = 0;
  int best = 0;
  for (const Kernel& kernel : kernels) {
    newest = std::max(newest, kernel.architecture);
    if (kernel.architecture <= capability && kernel.architecture / 10 == capability / 10)
      best = std::max(best, kernel.architecture);
  }
  return best > 0 ? best : newest;
}

bool is_wanted(const Kernel& kernel, const SassQuestion& question) {
  return question.symbols.empty() || std::any_of(question.symbols.begin(), question.symbols.end(),
                                                 [&kernel](const std::string& each) {
                                                   return same_symbol(each, kernel.symbol);
                                                 });
}

}  // namespace

std::filesystem::path find_cuobjdump() {
  std::vector<std::filesystem::path> folders;
  for (const char* const name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const home = std::getenv(name); home != nullptr && *home == '/')
      folders.push_back(std::filesystem::path(home) / "bin");
  if (auto found = find_program("cuobjdump", folders); !found.empty()) return found;
  return find_program("cuobjdump", {"/usr/local/cuda/bin"});
}

std::string readable_sass(std::string_view printed, const SassQuestion& question) {
  // Padding fills the end of a kernel.
  const auto is_filling = [](const std::string& each) {
    return each.ends_with("  NOP;") || each.ends_with("  NOP ;");
  };
  const std::vector<Kernel> kernels = kernels_in(printed);
  const int architecture = best_architecture(kernels, question.compute_capability);
  std::string text;
  for (const Kernel& kernel : kernels) {
    if (kernel.architecture != architecture || !is_wanted(kernel, question)) continue;
    if (text.empty())
      text = fmt::format("// code for sm_{}, disassembled by cuobjdump\n", architecture);
    const auto count = kernel.instructions.size() -
                       static_cast<std::size_t>(std::count_if(
                           kernel.instructions.begin(), kernel.instructions.end(), is_filling));
    text += fmt::format("\n// {}: {} instructions\n{}:\n", kernel_for_people(kernel.symbol), count,
                        kernel.symbol);
    for (const std::string& each : kernel.instructions) text += "  " + each + '\n';
  }
  return text;
}

std::vector<PtxEntry> sass_entries(std::string_view sass) {
  std::vector<PtxEntry> entries;
  int line = 0;
  for (std::size_t begin = 0; begin < sass.size(); ++line) {
    const std::size_t end = std::min(sass.find('\n', begin), sass.size());
    const std::string_view text = sass.substr(begin, end - begin);
    begin = end + 1;
    if (!text.ends_with(':') || text.starts_with("//") || text.starts_with(' ')) continue;
    const std::string symbol(text.substr(0, text.size() - 1));
    entries.push_back({symbol, kernel_for_people(symbol), line});
  }
  return entries;
}

std::string sass_of(const SassQuestion& question, const std::atomic<bool>* cancelled) {
  const std::string what = "reading SASS from " + question.file.string();
  const std::filesystem::path tool = find_cuobjdump();
  if (tool.empty()) throw Error("SASS", "cuobjdump was not found", how_to_install);
  std::vector<std::string> words = {tool.string(), "-sass"};
  std::string names;
  for (const std::string& symbol : question.symbols) names += (names.empty() ? "" : ",") + symbol;
  if (!names.empty()) words.insert(words.end(), {"-fun", names});
  words.push_back(question.file.string());
  // cuobjdump looks for nvdisasm in PATH.
  const ProcessResult result = run_process(
      words, {.time = std::chrono::seconds(30), .cancelled = cancelled}, tool.parent_path());
  if (result.cancelled) throw Error(what + ": cancelled");
  if (result.timed_out) throw Error(what, tool.string() + " took too long and was killed", "");
  std::string sass = readable_sass(result.out, question);
  if (!sass.empty()) return sass;
  const std::string said(stripped(result.err));
  if (result.code != 0)
    throw Error(what,
                fmt::format("{} ended with {}{}", tool.string(), result.code,
                            said.empty() ? "" : ": " + said),
                said.find("nvdisasm") != std::string::npos ? how_to_install : "");
  throw Error(what, "it holds no machine code for these kernels",
              "It may hold only PTX, which the driver compiles at start");
}

}  // namespace warpview
