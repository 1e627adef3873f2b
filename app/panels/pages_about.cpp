// The pages that say more about what is pointed at.
#include "app/panels/actions.h"
#include "app/panels/parts.h"

namespace warpview {

void open_scene_page(const Model& model, PanelState& state, const std::string& heading) {
  if (model.scene_kind != nullptr)
    show_handbook(state, scene_page(model.scene_kind->name), heading);
}

void open_stage_page(Model& model, PanelState& state, const StageRow& row) {
  if (row.variant && lab_misses(model, (*row.variant)->primitive).empty())
    open_laboratory(model, state, (*row.variant)->primitive, row.variant, LabTask::about);
  else
    open_scene_page(model, state, "how-it-is-computed");
}

}  // namespace warpview
