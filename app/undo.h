// Undo and redo of what the user sets in a scene: variants, controls and what is shown. The camera
// is no part of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/common/scene_memory.h"
#include "app/model.h"

namespace warpview {

class UndoHistory {
 public:
  static constexpr std::size_t most = 100;  // steps; the oldest are forgotten

  // Another scene is open: there is nothing to undo.
  void begin(SceneMemory now);
  // What the user has made of it. A change is one step, which ends what could be redone. While
  // something is being set, a slider being dragged say, it waits: the whole way is one step.
  void note(SceneMemory now, bool is_setting);
  // Something else has changed it, as a variant that was refused is taken back: that is no step,
  // and neither is one that it has made good.
  void follow(SceneMemory now);

  // How it was before the last step, which from now on is how it is; none: there is no step.
  std::optional<SceneMemory> undo();
  // The other way around.
  std::optional<SceneMemory> redo();

  // How it is, and how it would be; null: there is no step.
  const SceneMemory& now() const { return now_; }
  const SceneMemory* before() const { return past_.empty() ? nullptr : &past_.back(); }
  const SceneMemory* after() const { return future_.empty() ? nullptr : &future_.back(); }

 private:
  std::vector<SceneMemory> past_;    // the latest last
  std::vector<SceneMemory> future_;  // the next last
  SceneMemory now_;
};

// All that undo knows of the scene that the model holds.
SceneMemory set_in(const Model& model);
// The model as it was; what is there no more, or cannot be chosen on its device, is left as it is.
void set_again(Model& model, const SceneMemory& memory);
// What differs, for people: "Level", "Level and 2 more"; empty: nothing. Titles are the model's.
std::string difference_in_words(const Model& model, const SceneMemory& a, const SceneMemory& b);

}  // namespace warpview
