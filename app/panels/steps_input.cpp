#include "app/panels/steps_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "app/common/digits.h"
#include "app/common/trouble.h"
#include "app/panels/widgets.h"
#include "gpu/lab/record.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

// An input that a text draws.
struct Example {
  const char* numbers;
  const char* source;
};
constexpr std::array of_sums = {
    Example{"8 1 7 4 6 3 5 2", "The course's slides on reductions and scans"},
    Example{"3 1 7 0 4 1 6 3", "GPU Gems 3, chapter 39, and the course's slides on scans"}};
constexpr std::array of_sorts = {
    Example{"71 231 5 18 51 162 32 127", "The course's slides on radix sort"}};

std::span<const Example> examples_of(Primitive primitive) {
  switch (primitive) {
    case Primitive::block_scan:
    case Primitive::reduce:
    case Primitive::scan:
      return of_sums;
    case Primitive::sort:
      return of_sorts;
    default:
      return {};
  }
}

const std::string& typed_of(const LabSteps& steps, Primitive primitive) {
  return steps.typed.at(static_cast<std::size_t>(primitive));
}

bool takes_numbers(const lab::Question& question) {
  return lab::number_range(question.primitive, question.form).has_value();
}

bool takes_mesh(const LabSteps& steps, const lab::Question& question) {
  return steps.mesh && lab::items_a_triangle(question.primitive, question.form) > 0;
}

bool is_typed(const LabSteps& steps, const lab::Question& question) {
  return !takes_mesh(steps, question) && takes_numbers(question) &&
         !typed_of(steps, question.primitive).empty();
}

// Makes what is typed the question's input. Error if it cannot be.
void take_typed(const LabSteps& steps, lab::Question& question) {
  lab::Question typed = question;
  lab::type_input(typed, lab::typed_numbers(typed_of(steps, question.primitive)));
  if (const std::string why = lab::why_not_input(typed); !why.empty())
    throw ChoiceError("Input", why, "Type other numbers");
  question = std::move(typed);
}

std::uint32_t items_of(const LabSteps& steps, Primitive primitive) {
  const std::uint32_t chosen = steps.items.at(static_cast<std::size_t>(primitive));
  return chosen > 0 ? chosen : lab::usual_recorded_items(primitive);
}

void draw_items(LabModel& lab, const PanelState& state, bool typed) {
  constexpr float width = 8.0F;
  beside_if_it_fits(width * em());
  const Primitive primitive = lab.question.primitive;
  lab::Question question = lab.question;
  take_steps_input(lab.steps, default_variant(primitive, Backend::cpu), question);
  int exponent = static_cast<int>(std::bit_width(question.n)) - 1;
  const std::string words =
      typed ? fmt::format("{} item{}", question.n, question.n == 1 ? "" : "s") : "2^%d items";
  ImGui::SetNextItemWidth(width * em());
  ImGui::BeginDisabled(typed);
  if (ui::slider("##items", &exponent, 0, LabSteps::most_exponent, words.c_str()))
    lab.steps.items.at(static_cast<std::size_t>(primitive)) = 1U << static_cast<unsigned>(exponent);
  ImGui::EndDisabled();
  const std::array about = {std::string(
      typed ? "The number of typed items. Clear the field to choose another number."
            : "Items of the recording. A few are easier to follow; a recording holds at most "
              "1 000 000 events.")};
  tooltip(state.fonts, "", about);
}

void draw_field(std::string& typed, const PanelState& state) {
  constexpr float width = 11.5F;
  beside_if_it_fits(width * em());
  ImGui::SetNextItemWidth(width * em());
  ui::text_field("##typed", &typed, ImGuiInputTextFlags_None, "numbers of your own");
  const std::array about = {
      fmt::format("The input: 1 to {} whole numbers with spaces or commas between them. While "
                  "this is empty, small numbers are generated.",
                  lab::most_typed)};
  tooltip(state.fonts, "", about);
}

void draw_examples(std::string& typed, std::span<const Example> examples, const PanelState& state) {
  if (examples.empty()) return;
  constexpr float width = 6.5F;
  beside_if_it_fits(width * em());
  if (!begin_combo("##examples", "Examples", width * em())) {
    const std::array about = {std::string("Inputs that lectures draw")};
    tooltip(state.fonts, "", about);
    return;
  }
  if (ui::selectable("generated numbers", typed.empty())) typed.clear();
  for (const Example& each : examples) {
    if (ui::selectable(each.numbers, typed == each.numbers)) typed = each.numbers;
    const std::array about = {std::string(each.source)};
    tooltip(state.fonts, "", about);
  }
  end_combo();
}

// The mesh, and a button to go back to generated input.
void draw_mesh(LabSteps& steps, const PanelState& state) {
  const std::string words =
      fmt::format("{} triangle{} of {}", group_digits(steps.mesh->triangles()),
                  steps.mesh->triangles() == 1 ? "" : "s", steps.mesh->name);
  constexpr float longest = 16.0F;
  const float width = std::min(ImGui::CalcTextSize(words.c_str()).x + em(), longest * em());
  beside_if_it_fits(width);
  ImGui::AlignTextToFramePadding();
  elided_text(words, width, Cut::end);
  const std::array about = {std::string(
      "The input: the first triangles of the mesh, at rest. Where a recording does not hold the "
      "run it has half as many, or fewer.")};
  tooltip(state.fonts, "", about);
  constexpr float button = 9.0F;
  beside_if_it_fits(button * em());
  if (ui::button("Generated input", {button * em(), 0.0F})) steps.mesh.reset();
  const std::array about_button = {
      std::string("Records generated input instead of the mesh's triangles.")};
  tooltip(state.fonts, "", about_button);
}

}  // namespace

void take_steps_input(const LabSteps& steps, VariantId variant, lab::Question& question) {
  if (takes_mesh(steps, question)) {
    lab::take_mesh(question, steps.mesh);
    return;
  }
  question.mesh.reset();
  question.distribution = lab::recorded_distribution(variant, question.form);
  question.typed.clear();
  question.n = items_of(steps, question.primitive);
  if (!is_typed(steps, question)) return;
  try {
    take_typed(steps, question);
  } catch (const Error&) {
    // why_not_steps_input() says so.
  }
}

BlockRanges steps_blocks(const LabSteps& steps) {
  try {
    return parse_blocks(steps.blocks);
  } catch (const Error&) {
    return {};
  }
}

void draw_steps_blocks(LabSteps& steps, const PanelState& state) {
  constexpr float width = 6.0F;
  beside_if_it_fits(width * em());
  ImGui::SetNextItemWidth(width * em());
  ui::text_field("##blocks", &steps.blocks, ImGuiInputTextFlags_None, "all blocks");
  const std::array about = {std::string(
      "The blocks that are recorded, such as 0,3-5, for runs that are too long to be recorded "
      "whole. The others run too: what they change in memory appears when a recorded block "
      "accesses it.")};
  tooltip(state.fonts, "", about);
}

std::string why_not_steps_input(const LabModel& lab) {
  try {
    parse_blocks(lab.steps.blocks);
    if (!is_typed(lab.steps, lab.question)) return {};
    lab::Question question = lab.question;
    take_typed(lab.steps, question);
  } catch (const std::exception& error) {
    return in_words(error);
  }
  return {};
}

void draw_steps_input(LabModel& lab, const PanelState& state) {
  if (takes_mesh(lab.steps, lab.question)) {
    draw_mesh(lab.steps, state);
    return;
  }
  draw_items(lab, state, is_typed(lab.steps, lab.question));
  if (!takes_numbers(lab.question)) return;
  std::string& typed = lab.steps.typed.at(static_cast<std::size_t>(lab.question.primitive));
  draw_field(typed, state);
  draw_examples(typed, examples_of(lab.question.primitive), state);
}

}  // namespace warpview
