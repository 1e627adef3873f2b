#include "app/lists.h"

#include <fmt/format.h>

#include "gpu/catalogue.h"
#include "gpu/runtime/backends.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

// Where the program starts with the variant, to go behind its name.
const char* default_in_words(VariantId variant) {
  const Primitive primitive = variant->primitive;
  const bool on_gpus = variant == default_variant(primitive, Backend::cuda);
  const bool on_cpu = variant == default_variant(primitive, Backend::cpu);
  if (on_gpus && on_cpu) return " (default)";
  if (on_gpus) return " (default on GPUs)";
  return on_cpu ? " (default on the CPU)" : "";
}

}  // namespace

std::string version_as_text() {
#if defined(__clang__)
  const char* compiler = "Clang " __clang_version__;
#else
  const char* compiler = "GCC " __VERSION__;
#endif
  std::string text = fmt::format("warpview {}, built by {}\n{}", WARPVIEW_VERSION, compiler,
                                 list_backends_as_text());
  text.pop_back();  // the caller that prints it ends the line
  return text;
}

std::string list_backends_as_text() {
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  std::string text;
  for (const BackendStatus& status : list_backends()) {
    const char* name = to_string(status.backend);
    if (!status.usable) text += fmt::format("{:<5} absent: {}\n", name, status.why);
    for (const DeviceInfo& info : status.devices)
      text += fmt::format("{:<5} device {}: {}, {:.1f} GiB memory, warp size {}, {}\n", name,
                          info.index, info.name, static_cast<double>(info.memory) / gib,
                          info.warp_size, info.driver);
  }
  return text;
}

std::string list_variants_as_text() {
  std::string text;
  for (int p = 0; p < primitive_count; ++p) {
    const auto primitive = static_cast<Primitive>(p);
    text += fmt::format("{}: {}\n", to_string(primitive), title(primitive));
    for (const VariantId variant : variants_of(primitive)) {
      text += fmt::format("  {}={}{}\n      {}\n      {}\n      {}\n      {}\n      {}; {}\n",
                          to_string(primitive), variant->name, default_in_words(variant),
                          variant->title, variant->summary, variant->source, variant->file,
                          in_words(variant->available), in_words(variant->determinism));
    }
  }
  return text;
}

std::string list_variants_as_markdown() {
  std::string text =
      "## All variants\n\nEvery primitive and every variant in the program, as printed by "
      "`warpview "
      "--list-variants --markdown`; a test\nholds this part of the page to the catalogue.\n\n- "
      "**available**: everywhere means cuda, hip and cpu. Where a variant is unavailable, the "
      "viewer greys it\n  and says why.\n- **result**: is it bit-identical from run to run?\n- "
      "**launches**: kernel launches per run; - if the size or a library decides.\n- **bytes**: "
      "minimum bytes per item that the variant moves through device memory, for 4-byte\n  items "
      "(and values). Fractions of memcpy bandwidth use the problem's minimum bytes instead.\n";
  for (int p = 0; p < primitive_count; ++p) {
    const auto primitive = static_cast<Primitive>(p);
    text += fmt::format("\n### [{}]({}.md)\n\n", title(primitive), to_string(primitive));
    text += fmt::format(
        "In the laboratory: `warpview lab {0}`. In a scene that has it as a stage: `--variant "
        "{0}=NAME`.\n\n",
        to_string(primitive));
    text += fmt::format("Minimum of the problem: {:.4g} bytes per item.\n\n",
                        least_bytes(primitive, Traffic()));
    text +=
        "| variant | in panels | what it does | available | result | launches | bytes | source |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (const VariantId variant : variants_of(primitive)) {
      text += fmt::format("| [{}](../../{}){} | {} | {} | {} | {} | {} | {:.4g} | {} |\n",
                          variant->name, variant->file, default_in_words(variant), variant->title,
                          variant->summary, in_words(variant->available),
                          in_words(variant->determinism),
                          variant->launches > 0 ? std::to_string(variant->launches) : "-",
                          variant->bytes_per_item(Traffic()), variant->source);
    }
  }
  return text;
}

std::string list_scenes_as_text() {
  std::string text;
  for (const SceneKind& kind : scene_kinds()) {
    text += fmt::format("{}: {}\n    {}\n    warpview {}\n", kind.name, kind.summary,
                        kind.invitation, kind.usage);
    for (const Control& control : kind.controls) {
      text += fmt::format("    {:<14} {}: {}\n                   {}\n", control.name, control.title,
                          range_in_words(control), control.tooltip);
      if (control.needs.any())
        text += fmt::format("                   Takes effect with {}\n", needs_in_words(control));
    }
  }
  return text;
}

}  // namespace warpview
