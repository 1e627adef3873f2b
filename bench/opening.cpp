#include "bench/opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/gl/headless_context.h"
#include "app/session.h"
#include "gpu/runtime/statistics.h"

namespace warpview::bench {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

}  // namespace

Opening measure_opening(const warpview::Options& options, const std::string& file, int runs) {
  Opening opening;
  opening.file = file;
  std::unique_ptr<Device> device = open_device(options);
  HeadlessOptions context_options;
  if (device->info().backend == Backend::cuda) context_options.cuda_device = device->info().index;
  HeadlessContext context(context_options);
  Model model;
  Session session(model, options, std::move(device), context.shared(), Session::Mode::headless);
  session.set_view(1280, 800);
  const auto show = [&session](const SceneDescription& scene) {
    const auto begin = Clock::now();
    session.open(scene);
    const auto opened = Clock::now();
    session.advance(0.0);
    const auto computed = Clock::now();
    session.draw();
    session.texture();  // finished
    const auto drawn = Clock::now();
    return std::vector<PhaseTime>{{"until it is open", milliseconds_between(begin, opened)},
                                  {"first frame", milliseconds_between(opened, computed)},
                                  {"picture of it", milliseconds_between(computed, drawn)},
                                  {"request to picture", milliseconds_between(begin, drawn)}};
  };
  const SceneDescription before = describe_scene({"generated:sphere:2000"});
  const SceneDescription scene = describe_scene({file});
  const auto add = [&opening](const PhaseTime& time) {
    const auto found =
        std::find_if(opening.parts.begin(), opening.parts.end(),
                     [&](const OpeningPart& part) { return part.text == time.text; });
    OpeningPart& part = found != opening.parts.end()
                            ? *found
                            : opening.parts.emplace_back(OpeningPart{time.text, {}});
    part.milliseconds.push_back(time.milliseconds);
  };
  for (int run = 0; run < runs; ++run) {
    std::cerr << "opening " << run + 1 << " of " << runs << std::endl;
    show(before);
    const std::vector<PhaseTime> whole = show(scene);
    for (const PhaseTime& phase : model.load_times) add(phase);
    for (const PhaseTime& part : whole) add(part);
  }
  std::error_code ignored;
  opening.bytes = std::filesystem::file_size(file, ignored);
  opening.renderer = model.gl_renderer;
  return opening;
}

void write_opening_table(std::ostream& out, const Opening& opening) {
  out << "| part | median ms | quartiles | least | runs |\n| ---- | -: | -: | -: | -: |\n";
  for (const OpeningPart& part : opening.parts) {
    const std::vector<double>& ms = part.milliseconds;
    out << fmt::format("| {} | {:.1f} | {:.1f}-{:.1f} | {:.1f} | {} |\n", part.text, median(ms),
                       quantile(ms, 0.25), quantile(ms, 0.75), quantile(ms, 0.0), ms.size());
  }
  out << fmt::format(
      "\n- {}, {:.1f} MB, drawn by {}.\n"
      "- Device, OpenGL and shaders are there, and another scene is open; the file is in the "
      "system's cache. The parts up to the one that hands the scene over are those that a window "
      "shows while it opens, in order.\n",
      std::filesystem::path(opening.file).filename().string(),
      static_cast<double>(opening.bytes) * 1e-6, opening.renderer);
}

}  // namespace warpview::bench
