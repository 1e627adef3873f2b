// The dialog for recording a video, and the progress of a recording.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>

#include "app/panels/parts.h"
#include "app/panels/saved_files.h"
#include "app/panels/widgets.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

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

// Has the ending of the format. A series gets a folder of its own.
std::string proposed_video(int format) {
  const fs::path folder = pictures_folder();
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
            : is_still ? "Nothing moves in this scene, so all frames are equal."
                       : "The scene from this moment, each frame at its exact time.");
}

void draw_video_format(VideoDialog& dialog) {
  static constexpr std::array formats = {"WebP", "GIF", "PNG files"};
  if (!segments("format", formats, dialog.format, ImGui::GetContentRegionAvail().x)) return;
  dialog.file = proposed_video(dialog.format);
}

void draw_video_numbers(VideoDialog& dialog,
                        const std::array<VideoSize, VideoDialog::sizes>& sizes) {
  constexpr double least = 0.5;
  constexpr double most = 60.0;
  const float label = 4.5F * em();
  const auto row = [&](const char* title) {
    ImGui::AlignTextToFramePadding();
    coloured_text(colour::dim, title);
    ImGui::SameLine(label);
    ImGui::SetNextItemWidth(-1.0F);
  };
  row("Length");
  ui::slider("##seconds", &dialog.seconds, least, most, "%.1f s", ImGuiSliderFlags_AlwaysClamp);
  row("Rate");
  ui::slider("##rate", &dialog.rate, 5, static_cast<int>(VideoPlan::most_rate), "%d frames/s");
  row("Size");
  if (begin_combo("##size", sizes[dialog.size].name.c_str(), -1.0F)) {
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (ui::selectable(sizes[i].name.c_str(), dialog.size == i)) dialog.size = i;
    end_combo();
  }
  row("File");
  ui::text_field("##file", &dialog.file);
}

// What Record makes.
void draw_outcome(const VideoPlan& plan) {
  std::error_code none;
  const bool replaces = fs::exists(plan.file, none);
  coloured_text(replaces ? colour::warning : colour::dim,
                fmt::format("{} frames of {} x {} pixels{}", plan.frames(), plan.width, plan.height,
                            replaces ? ", which replace the file that exists" : ""));
}

// Why the plan is refused; empty: it is not.
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
  if (!begin_dialog(video_dialog, dialog.open, 30.0F)) return;
  draw_video_kind(dialog, model);
  ImGui::Spacing();
  draw_video_format(dialog);
  ImGui::Spacing();
  const auto sizes = video_sizes_for(model);
  draw_video_numbers(dialog, sizes);
  const VideoPlan plan = plan_of(dialog, sizes[dialog.size]);
  const std::string why_not = complaint_of(plan);
  // Reserves room for a complaint, so that the buttons stay under the mouse.
  const float below = ImGui::GetCursorPosY() + 4.2F * em();
  if (why_not.empty())
    draw_outcome(plan);
  else
    paragraph(colour::error, why_not);
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), below));
  if (end_dialog("Record", why_not.empty() && !model.video.records(), dialog.open))
    model.requests.add(request::RecordVideo{plan});
}

// "warpview.webp"; of a series, whose files are called "frame-%04d.png", its folder.
std::string name_of_video(const fs::path& file) {
  const bool is_series = file.filename().string().find('%') != std::string::npos;
  return (is_series && file.has_parent_path() ? file.parent_path() : file).filename().string();
}

void draw_recording(Model& model, PanelState& state) {
  const VideoModel& video = model.video;
  if (!video.records()) return;
  state.animates = true;
  const bool cancels = draw_progress_card(
      model, state, "##recording", "Recording " + name_of_video(video.file),
      static_cast<float>(video.done) / static_cast<float>(std::max<std::uint64_t>(video.frames, 1)),
      video.finishing ? "Writing the file"
                      : fmt::format("{} of {} frames", video.done, video.frames));
  if (cancels) model.requests.add(request::CancelVideo{});
}

}  // namespace warpview
