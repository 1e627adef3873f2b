// The dialog that asks how a video is to be recorded, and how far one that is recorded is.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "app/panels/parts.h"
#include "app/panels/saved_files.h"
#include "app/panels/widgets.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

constexpr const char* video_dialog = "Record video";
constexpr std::array video_endings = {".webp", ".gif", ".png"};  // by VideoFormat

struct VideoSize {
  std::string name;
  int width = 0;
  int height = 0;
};

std::array<VideoSize, VideoDialog::sizes> video_sizes_for(const Model& model) {
  const int width = std::max(model.view_width, 1);
  const int height = std::max(model.view_height, 1);
  return {VideoSize{fmt::format("The view: {} x {}", width, height), width, height},
          VideoSize{fmt::format("Half the view: {} x {}", width / 2, height / 2), width / 2,
                    height / 2},
          VideoSize{"HD: 1280 x 720", 1280, 720}, VideoSize{"Full HD: 1920 x 1080", 1920, 1080}};
}

// With the ending of the format; a series has a folder of its own.
std::string proposed_video(int format) {
  const std::filesystem::path folder = pictures_folder();
  const std::string ending = video_endings[static_cast<std::size_t>(format)];
  if (static_cast<VideoFormat>(format) != VideoFormat::png)
    return free_file((folder / "warpview-video").string(), ending);
  return free_file((folder / "warpview-frames").string(), "") + "/frame-%04d.png";
}

VideoPlan plan_of(const VideoDialog& dialog, const VideoSize& size) {
  return {.file = dialog.file,
          .turntable = dialog.kind == 0,
          .seconds = dialog.seconds,
          .rate = static_cast<double>(dialog.rate),
          .width = size.width,
          .height = size.height};
}

void draw_video_kind(VideoDialog& dialog, const Model& model) {
  static constexpr std::array kinds = {"Turntable", "Stretch of time"};
  const float width = ImGui::GetContentRegionAvail().x;
  segments("kind", kinds, dialog.kind, width);
  const bool is_still = dialog.kind == 1 && !model.results->moving;
  paragraph(is_still ? colour::warning : colour::dim,
            dialog.kind == 0
                ? "The camera goes once around the model; the animation runs if it is playing."
            : is_still ? "Nothing moves in this scene: all frames will be equal."
                       : "The scene from this moment, each frame at its exact time.");
}

void draw_video_format(VideoDialog& dialog) {
  static constexpr std::array formats = {"WebP", "GIF", "PNG files"};
  if (!segments("format", formats, dialog.format, ImGui::GetContentRegionAvail().x)) return;
  dialog.file = proposed_video(dialog.format);
}

void draw_video_numbers(VideoDialog& dialog,
                        const std::array<VideoSize, VideoDialog::sizes>& sizes) {
  const float width = ImGui::GetContentRegionAvail().x;
  constexpr double least = 0.5;
  constexpr double most = 60.0;
  const float label = 4.5F * em();
  const auto row = [&](const char* title) {
    ImGui::AlignTextToFramePadding();
    coloured_text(colour::dim, title);
    ImGui::SameLine(label);
    ImGui::SetNextItemWidth(width - label);
  };
  row("Length");
  ui::slider("##seconds", &dialog.seconds, least, most, "%.1f s", ImGuiSliderFlags_AlwaysClamp);
  row("Rate");
  ui::slider("##rate", &dialog.rate, 5, static_cast<int>(VideoPlan::most_rate), "%d frames/s");
  row("Size");
  if (begin_combo("##size", sizes[dialog.size].name.c_str(), width - label)) {
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (ui::selectable(sizes[i].name.c_str(), dialog.size == i)) dialog.size = i;
    ImGui::EndCombo();
  }
  row("File");
  ui::text_field("##file", &dialog.file);
}

// Why the plan cannot be had; empty: it can.
std::string complaint_of(const VideoPlan& plan) {
  try {
    check_plan(plan);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

void draw_record_video(Model& model, PanelState& state) {
  VideoDialog& dialog = state.video;
  if (!dialog.open) return;
  if (!ImGui::IsPopupOpen(video_dialog)) {
    dialog.file = proposed_video(dialog.format);
    ImGui::OpenPopup(video_dialog);
  }
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5F * display.x, 0.5F * display.y}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(30.0F * em(), 0.94F * display.x), 0.0F});
  if (!ImGui::BeginPopupModal(video_dialog, &dialog.open,
                              ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoResize))
    return;
  draw_video_kind(dialog, model);
  ImGui::Spacing();
  draw_video_format(dialog);
  ImGui::Spacing();
  const auto sizes = video_sizes_for(model);
  draw_video_numbers(dialog, sizes);
  const VideoPlan plan = plan_of(dialog, sizes[dialog.size]);
  const std::string why_not = complaint_of(plan);
  // As much room for a complaint as for none: the buttons stay under the mouse.
  const float below = ImGui::GetCursorPosY() + 4.2F * em();
  if (why_not.empty())
    coloured_text(colour::dim, fmt::format("{} frames of {} x {} pixels", plan.frames(), plan.width,
                                           plan.height));
  else
    paragraph(colour::error, why_not);
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), below));
  const float button = 6.0F * em();
  ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - 2.0F * button -
                       ImGui::GetStyle().ItemSpacing.x);
  if (ui::button("Cancel", {button, 0.0F}) ||
      ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))
    dialog.open = false;
  ImGui::SameLine();
  ImGui::BeginDisabled(!why_not.empty() || model.video.records());
  if (ui::button("Record", {button, 0.0F})) {
    model.requests.add(request::RecordVideo{plan});
    dialog.open = false;
  }
  ImGui::EndDisabled();
  if (!dialog.open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void draw_recording(Model& model, PanelState& state) {
  const VideoModel& video = model.video;
  if (!video.records()) return;
  state.animates = true;
  const Area over = area_of_cards(state);
  const float width = std::min(26.0F * em(), over.width - 1.6F * em());
  ImGui::SetNextWindowPos({over.x + 0.5F * over.width, over.y + 1.2F * em()}, ImGuiCond_Always,
                          {0.5F, 0.0F});
  ImGui::SetNextWindowSize({width, 0.0F});
  begin_card("##recording");
  {
    const FontScope bold(state.fonts.bold);
    elided_text("Recording " + std::filesystem::path(video.file).filename().string(),
                ImGui::GetContentRegionAvail().x);
  }
  const float button = 5.0F * em();
  ImGui::ProgressBar(
      static_cast<float>(video.done) / static_cast<float>(std::max<std::uint64_t>(video.frames, 1)),
      {ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x,
       ImGui::GetFrameHeight()});
  ImGui::SameLine();
  if (ui::button("Cancel", {button, 0.0F})) model.requests.add(request::CancelVideo{});
  {
    const FontScope small(state.fonts.small);
    coloured_text(colour::dim, video.finishing
                                   ? "Writing the file"
                                   : fmt::format("{} of {} frames", video.done, video.frames));
  }
  ImGui::End();
}

}  // namespace warpview
