#include "app/undo.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/remembering.h"
#include "gpu/catalogue.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

using Words = std::vector<std::string>;

bool holds(const std::optional<Words>& names, const std::string& name) {
  return names && std::find(names->begin(), names->end(), name) != names->end();
}

const std::string* value_of(const SceneMemory& memory, const std::string& control) {
  if (!memory.controls) return nullptr;
  for (const auto& [name, value] : *memory.controls)
    if (name == control) return &value;
  return nullptr;
}

const SceneMemory::Choice* choice_of(const SceneMemory& memory, const std::string& stage) {
  if (!memory.variants) return nullptr;
  for (const SceneMemory::Choice& each : *memory.variants)
    if (each.stage == stage) return &each;
  return nullptr;
}

template <class T>
bool same_there(const T* a, const T* b) {
  return a == nullptr || b == nullptr ? a == b : *a == *b;
}

void choose_again(StageRow& stage, const SceneMemory::Choice& choice) {
  for (std::size_t i = 0; i < stage.variants.size(); ++i) {
    const VariantId variant = stage.variants[i];
    if (variant->name == choice.variant && stage.why_not[i].empty()) stage.variant = variant;
  }
}

}  // namespace

void UndoHistory::begin(SceneMemory now) {
  past_.clear();
  future_.clear();
  now_ = std::move(now);
}

void UndoHistory::note(SceneMemory now, bool is_setting) {
  if (is_setting || now == now_) return;
  past_.push_back(std::exchange(now_, std::move(now)));
  if (past_.size() > most) past_.erase(past_.begin());
  future_.clear();
}

void UndoHistory::follow(SceneMemory now) {
  now_ = std::move(now);
  if (!past_.empty() && past_.back() == now_) past_.pop_back();
}

std::optional<SceneMemory> UndoHistory::undo() {
  if (past_.empty()) return {};
  future_.push_back(std::exchange(now_, std::move(past_.back())));
  past_.pop_back();
  return now_;
}

std::optional<SceneMemory> UndoHistory::redo() {
  if (future_.empty()) return {};
  past_.push_back(std::exchange(now_, std::move(future_.back())));
  future_.pop_back();
  return now_;
}

SceneMemory set_in(const Model& model) {
  SceneMemory memory = memory_of(model, {}, true);
  memory.view.reset();
  auto& look = memory.look.emplace();
  for (const LookSwitch& row : look_switches)
    if (model.show.*row.value) look.emplace_back(row.name);
  return memory;
}

void set_again(Model& model, const SceneMemory& memory) {
  for (std::size_t i = 0; i < model.controls.size(); ++i)
    if (const std::string* const value = value_of(memory, model.controls.all()[i].name)) try {
        model.controls.set(i, std::string_view(*value));
      } catch (const Error&) {
        // What it was made with, as a scene file may say it, is not always a value to be set.
      }
  for (StageRow& stage : model.stages)
    if (const SceneMemory::Choice* const choice = choice_of(memory, stage.result->name))
      choose_again(stage, *choice);
  for (OutputRow& output : model.outputs) output.shown = holds(memory.shown, output.name);
  if (memory.cameras) model.cameras = *memory.cameras;
  if (!memory.look) return;
  for (const LookSwitch& row : look_switches) model.show.*row.value = holds(memory.look, row.name);
}

std::string difference_in_words(const Model& model, const SceneMemory& a, const SceneMemory& b) {
  Words titles;
  for (const StageRow& stage : model.stages)
    if (!same_there(choice_of(a, stage.result->name), choice_of(b, stage.result->name)))
      titles.push_back(stage.result->title);
  for (const Control& control : model.controls.all())
    if (!same_there(value_of(a, control.name), value_of(b, control.name)))
      titles.emplace_back(control.title);
  for (const OutputRow& output : model.outputs)
    if (holds(a.shown, output.name) != holds(b.shown, output.name)) titles.push_back(output.title);
  for (const LookSwitch& row : look_switches)
    if (holds(a.look, row.name) != holds(b.look, row.name)) titles.emplace_back(row.title);
  if (a.cameras != b.cameras) titles.emplace_back("Cameras");
  if (titles.size() < 2) return titles.empty() ? std::string() : titles.front();
  return fmt::format("{} and {} more", titles.front(), titles.size() - 1);
}

}  // namespace warpview
