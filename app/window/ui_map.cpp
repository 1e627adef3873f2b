#include "app/window/ui_map.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "app/panels/tour.h"
#include "gpu/catalogue.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const glm::vec3& v) { return {v.x, v.y, v.z}; }

Json as_json(float x, float y, float width, float height) { return {x, y, width, height}; }

Json rectangle(ImVec2 from, ImVec2 to) {
  return as_json(from.x, from.y, std::max(to.x - from.x, 0.0F), std::max(to.y - from.y, 0.0F));
}

Json widget_as_json(const ui::WidgetRecord& widget) {
  Json json = {{"window", widget.window},   {"name", widget.name},
               {"kind", widget.kind},       {"at", rectangle(widget.from, widget.to)},
               {"visible", widget.visible}, {"enabled", widget.enabled},
               {"hovered", widget.hovered}, {"focused", widget.focused}};
  if (widget.on) json["on"] = *widget.on;
  if (widget.value) json["value"] = *widget.value;
  if (widget.text) json["text"] = *widget.text;
  if (!widget.about.empty()) json["about"] = widget.about;
  return json;
}

const char* name_of(std::optional<VariantId> variant) { return variant ? (*variant)->name : ""; }

Json stage_as_json(const StageRow& stage) {
  static constexpr const char* warm_ups[] = {"none", "to come", "too slow", "waits", "changes"};
  return {{"name", stage.result->name},
          {"variant", name_of(stage.variant)},      // chosen
          {"ran", name_of(stage.result->variant)},  // that the times are of
          {"runs", stage.result->milliseconds.size()},
          {"cold", stage.result->is_cold()},
          {"warm_up", warm_ups[static_cast<std::size_t>(stage.warm_up)]},
          {"last_ms", stage.result->last_ms},
          {"every_frame", stage.every_frame},
          {"repeatable", stage.result->repeatable},
          {"of_mesh", stage.result->of_mesh},
          {"done_by", stage.result->done_by}};
}

Json scene_as_json(const Model& model) {
  Json outputs = Json::object();
  for (const OutputRow& output : model.outputs) outputs[output.name] = output.shown;
  Json stages = Json::array();
  for (const StageRow& stage : model.stages) stages.push_back(stage_as_json(stage));
  Json controls = Json::object();
  for (std::size_t i = 0; i < model.controls.size(); ++i)
    controls[model.controls.all()[i].name] = model.controls.value(i);
  Json legends = Json::array();
  for (const Legend& legend : model.results->legends)
    if (legend.output < model.outputs.size())
      legends.push_back({{"output", model.outputs[legend.output].name}, {"title", legend.title}});
  Json picked = Json::array();
  for (const Fact& fact : model.picked) picked.push_back(fact.name);
  return {{"name", model.scene_name}, {"spec", model.scene_spec}, {"frames", model.results->frames},
          {"moves", model.moves()},   {"outputs", outputs},       {"stages", stages},
          {"controls", controls},     {"legends", legends},       {"picked", picked}};
}

// The form of a fault that runs.
Json faults_as_json(const LabFaults& faults) {
  if (faults.running == nullptr) return {{"running", nullptr}};
  return {{"running", std::string(faults.running->fault) + "/" + faults.running->name},
          {"runs", faults.answer(*faults.running)->tally.runs}};
}

Json laboratory_as_json(const LabModel& lab, const LabView& view) {
  static constexpr const char* states[] = {"idle", "preparing", "measuring"};
  const LabSeries& series = lab.under_way();
  return {{"state", states[static_cast<int>(lab.state)]},
          {"cancelling", lab.cancelling},
          {"primitive", to_string(lab.question.primitive)},
          {"items", lab.items()},
          {"tab", view.front ? lab_task(*view.front).name : ""},
          {"task", lab_task(lab.task).name},
          {"under_way", name_of(lab.variant)},
          {"answers", series.answers.size()},
          {"variants", series.variants.size()},
          {"error", series.error},
          {"faults", faults_as_json(lab.faults)}};
}

Json messages_as_json(const PanelState& panels) {
  static constexpr const char* kinds[] = {"info", "warning", "error"};
  constexpr std::size_t most = 20;
  Json messages = Json::array();
  const std::size_t count = panels.notices.size();
  for (std::size_t i = count > most ? count - most : 0; i < count; ++i) {
    const Notice& notice = panels.notices[i];
    messages.push_back({{"kind", kinds[static_cast<int>(notice.message.kind)]},
                        {"text", notice.message.text},
                        {"count", notice.count},
                        {"past", notice.past},
                        {"dismissed", notice.dismissed}});
  }
  return messages;
}

Json tour_as_json(const TourView& tour) {
  if (!tour.step) return {};
  const TourStep& step = tour_steps()[*tour.step];
  const TourStep::Widget& widget = tour.done ? step.next : step.widget;
  return {{"step", *tour.step + 1},
          {"window", widget.window},
          {"widget", widget.name},
          {"done", tour.done}};
}

Json camera_as_json(const Camera& camera, bool flies) {
  return {{"eye", as_json(camera.eye())},
          {"target", as_json(camera.target)},
          {"distance", camera.distance},
          {"up", camera.up_axis == UpAxis::z ? "z" : "y"},
          {"flies", flies}};
}

Json ab_as_json(const Model& model) {
  static constexpr const char* modes[] = {"b", "divider", "difference", "a"};
  const auto mode = model.shows_a() ? model.ab.mode : AbView::Mode::only_b;
  Json json = {{"pinned", model.pinned.has_value()},
               {"kept", model.a.is_there},
               {"view", modes[static_cast<std::size_t>(mode)]},
               {"divider", model.ab.divider},
               {"swapped", model.ab.swapped},
               {"gain", model.ab.gain},
               {"difference", nullptr}};
  if (model.difference)
    json["difference"] = {{"share", model.difference->share},
                          {"largest", model.difference->largest}};
  return json;
}

}  // namespace

Json describe_window(const Model& model, const PanelState& panels,
                     const std::vector<ui::WidgetRecord>& widgets, const WindowState& window) {
  Json windows = Json::object();
  for (const ui::WindowRecord& each : ui::windows())
    windows[each.name] = rectangle(each.from, each.to);
  Json all = Json::array();
  for (const ui::WidgetRecord& widget : widgets) all.push_back(widget_as_json(widget));
  Json loading;
  if (model.loading)
    loading = {{"spec", model.loading_spec},
               {"phase", model.load_phase},
               {"progress", std::round(1000.0F * model.load_progress) / 1000.0F}};
  const Area& view = panels.view;
  return {{"width", window.width},
          {"height", window.height},
          {"pixels_per_unit", window.pixels_per_unit},
          {"desktop_scale", window.desktop_scale},
          {"input", {{"seen", window.events_seen}, {"waiting", window.events_waiting}}},
          {"settled", window.is_settled},
          {"view", as_json(view.x, view.y, view.width, view.height)},
          {"scene", scene_as_json(model)},
          {"loading", loading},
          {"laboratory", laboratory_as_json(model.lab, panels.lab)},
          {"camera", camera_as_json(model.camera, panels.flies)},
          {"ab", ab_as_json(model)},
          {"video", {{"file", model.video.file}, {"done", model.video.done}}},
          {"tour", tour_as_json(panels.tour)},
          {"messages", messages_as_json(panels)},
          {"panels", windows},
          {"widgets", all}};
}

UiMap::UiMap(std::filesystem::path file) : file_(std::move(file)) { ui::write_down(&widgets_); }

void UiMap::begin_frame() {
  widgets_.clear();
  ++frame_;
}

void UiMap::end_frame(const Model& model, const PanelState& panels, const WindowState& window) {
  const Json now = describe_window(model, panels, widgets_, window);
  // Names of files may be no UTF-8.
  const auto text = [](const Json& json) {
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  };
  std::string state = text(now);
  if (state == written_) return;
  Json whole = {{"frame", frame_}};
  whole.update(now);
  write_whole_file(file_, text(whole));
  written_ = std::move(state);
}

}  // namespace warpview
