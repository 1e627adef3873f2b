#include "app/option_kept.h"

#include <utility>

#include "app/option_values.h"

namespace warpview {

void add_kept(CLI::App& app, CLI::Option* headless, KeptWords& words) {
  app.add_option("--save-scene", words.save_scene,
                 "Write the scene with its settings to a scene file, FILE.json")
      ->needs(headless);
  auto* video = app.add_option("--video", words.video,
                               "Write a video, FILE.webp or FILE.gif, or a PNG for each frame, "
                               "FOLDER/frame-%04d.png")
                    ->needs(headless)
                    ->excludes(app.get_option("--frames"));
  app.add_flag("--turntable", words.turntable,
               "With --video: the camera goes once around the model")
      ->needs(video);
  app.add_option("--seconds", words.seconds, "With --video: its length in seconds; 4")
      ->check(between(VideoPlan::least_seconds, VideoPlan::most_seconds))
      ->needs(video);
  app.add_option("--rate", words.rate, "With --video: frames a second; 25")
      ->check(between(VideoPlan::least_rate, VideoPlan::most_rate))
      ->needs(video);
}

void read_kept(const KeptWords& words, Options& options) {
  if (options.transparent && options.screenshot.empty() && words.video.empty())
    throw CLI::ValidationError("--transparent", "it needs --screenshot or --video");
  if (!words.save_scene.empty()) {
    if (!is_scene_file(words.save_scene))
      throw CLI::ValidationError("--save-scene",
                                 "\"" + words.save_scene + "\": the name must end in .json");
    options.save_scene = words.save_scene;
  }
  if (words.video.empty()) return;
  VideoPlan plan{.file = words.video,
                 .turntable = words.turntable,
                 .width = options.width,
                 .height = options.height,
                 .transparent = options.transparent};
  if (words.seconds) plan.seconds = *words.seconds;
  if (words.rate) plan.rate = *words.rate;
  or_wrong_usage("--video", [&plan] { check_plan(plan); });
  options.video = std::move(plan);
}

void read_camera(const std::string& text, SceneDescription& scene) {
  if (!why_no_camera_name(text).empty()) {
    scene.camera = parse_camera(text);
    return;
  }
  if (scene.files.size() != 1 || !is_scene_file(scene.files.front().spec))
    throw CLI::ValidationError(
        "--camera", "\"" + text +
                        "\": only a scene file has named cameras, and none is opened: write 6 or 7 "
                        "numbers, X,Y,Z,X,Y,Z or X,Y,Z,X,Y,Z,DEGREES");
  scene.camera_name = text;
}

}  // namespace warpview
