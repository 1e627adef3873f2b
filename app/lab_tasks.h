// The laboratory's tasks: the rows of app/panels/lab_tasks.def as data. A task is a tab of the
// laboratory and the question behind it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "gpu/catalogue.h"
#include "gpu/lab/laboratory.h"

namespace warpview {

enum class LabTask {
#define LAB_TASK(name, ...) name,
#include "app/panels/lab_tasks.def"
#undef LAB_TASK
};

// The device that answers.
enum class LabDevice {
  ordinary,  // the one that computes scenes
  counting,  // a CPU device that counts, with LabModel::banks; times nothing
  recording  // a CPU device that records one variant, beside all else: request::Record asks it
};

// The sizes of the inputs.
enum class LabSizes {
  chosen,  // one: LabModel::items()
  swept,   // powers of two, from LabModel::sweep_first to LabModel::last_of_sweep()
  few,     // one: LabModel::items(), up to 2^LabModel::counted
  own      // the task's, which asks about no primitive
};

struct LabQuestion {
  const char* button = nullptr;  // null: answered by another task
  LabTask answered_by{};         // where it is
  LabDevice device = LabDevice::ordinary;
  LabSizes sizes = LabSizes::chosen;
};

struct LabTaskRow {
  LabTask task;
  const char* name;
  const char* title;
  LabQuestion question;
  bool (*is_for)(Primitive primitive);
};

namespace lab_rows {

using enum LabDevice;
using enum LabSizes;

constexpr LabQuestion ask(const char* button, LabDevice device, LabSizes sizes) {
  return {.button = button, .device = device, .sizes = sizes};
}
constexpr LabQuestion answers_of(LabTask task) { return {.answered_by = task}; }

inline bool every_primitive(Primitive /*primitive*/) { return true; }
inline bool tells_busy(Primitive primitive) { return lab::experiment(primitive).tells_busy; }

inline constexpr std::array all = {
#define LAB_TASK(name, title, question, primitives) \
  LabTaskRow{LabTask::name, #name, title, question, &primitives},
#include "app/panels/lab_tasks.def"
#undef LAB_TASK
};

}  // namespace lab_rows

inline constexpr auto& lab_tasks = lab_rows::all;

constexpr const LabTaskRow& lab_task(LabTask task) {
  return lab_tasks[static_cast<std::size_t>(task)];
}

// The task whose answers a tab shows: itself or another.
constexpr LabTask answered_by(LabTask task) {
  const LabQuestion& question = lab_task(task).question;
  return question.button != nullptr ? task : question.answered_by;
}

// Does the tab take the scene's place in the window: a page, a recording, or the faults? Such a tab
// has no use for the size and distribution of the other tabs' inputs.
constexpr bool takes_scenes_place(LabTask task) {
  return lab_task(answered_by(task)).question.device == LabDevice::recording;
}

// Does the tab depend on the primitive that is chosen?
constexpr bool has_primitive(LabTask task) {
  return lab_task(answered_by(task)).question.sizes != LabSizes::own;
}

static_assert(std::all_of(lab_tasks.begin(), lab_tasks.end(),
                          [](const LabTaskRow& row) {
                            return lab_task(answered_by(row.task)).question.button != nullptr;
                          }),
              "answers_of() names a task that asks");

}  // namespace warpview
