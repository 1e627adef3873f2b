// Opens scenes of all kinds, one after another in one process: soak [OPENS] [BACKEND].
//
// They come in rounds: all kinds, several sizes, files with textures, scenes that are remade, and
// what cannot be opened. Each is drawn for a frame. At the end of each round stands the same scene,
// so that as much memory should be in use as after the round before, but for what drivers and heaps
// keep for a while: the least after several rounds is what counts. Fails when that is more than 2 %
// above what it was after the first hundred opens, or a file descriptor is lost. On a GPU it is the
// first five hundred: its driver maps memory in pieces of megabytes until it has enough.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gl/headless_context.h"
#include "app/session.h"
#include "gpu/runtime/backends.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "warpview-soak-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Error("a temporary folder", "there is none", "");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

 private:
  fs::path path_;
};

// Grey, of 24 bits a pixel.
std::string tga(unsigned side) {
  const auto low = static_cast<char>(side & 0xffU);
  const auto high = static_cast<char>(side >> 8U);
  std::string file = {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, low, high, low, high, 24, 0x20};
  file.append(std::size_t{3} * side * side, '\x7f');
  return file;
}

struct Case {
  SceneDescription scene;
  bool opens = true;
};

SceneDescription described(std::vector<std::string> words,
                           std::vector<std::pair<std::string, std::string>> controls = {}) {
  SceneDescription scene = describe_scene(words);
  for (auto& control : controls) scene.controls.push_back(std::move(control));
  return scene;
}

SceneDescription with_variant(SceneDescription scene, const char* stage, const char* variant) {
  scene.variants.add(stage, variant);
  return scene;
}

SceneDescription showing(SceneDescription scene, std::vector<std::string> outputs) {
  scene.show = std::move(outputs);
  return scene;
}

// A divisor of a hundred in number, the largest among the first.
std::vector<Case> round_of_scenes(const Folder& folder) {
  folder.write("grey.tga", tga(200));
  folder.write("m.mtl", "newmtl a\nmap_Kd grey.tga\nnewmtl b\nKd 1 0 0\nmap_Kd none.png\n");
  const std::string textured = folder.write(
      "textured.obj",
      "mtllib m.mtl none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\n"
      "usemtl a\nf 1/1 2/2 3/3\nusemtl b\nf 1 2 4\nusemtl c\nf 2 3 4\nf 1 2 9\n");
  const std::string nothing = folder.write("nothing.obj", "v 0 0 0\n");
  const std::string text = folder.write("text.obj", "this is no mesh\n");
  const std::string described_in_file =
      folder.write("scene.json", R"({"scene": "deformation", "files": ["generated:sphere:1000",
      {"path": "textured.obj", "transform": {"scale": 0.5}}], "controls": {"shape": "explode"}})");
  const std::string wrong = folder.write("wrong.json", "{\"controls\": {\"level\": -1}}");
  const std::string large = "generated:sphere:20000";
  const std::string small = "generated:sphere:500";
  return {
      {described({large})},
      {described({"particles:2000", large})},
      {described({"deformation", large}, {{"tree", "adaptive"}})},
      {showing(described({"mesh", large}, {{"animation", "rebuild"}}), {"wire", "boxes", "curve"})},
      {described({textured})},
      {described({"no/such/file.obj"}), false},
      {described({small})},
      {described({"assets/sample.obj"})},
      {described({"particles:1500"})},
      {described({text}), false},
      {described({described_in_file})},
      {described({nothing})},
      {described({wrong}), false},
      {described({"deformation", small})},
      {with_variant(described({small}), "sort", "library")},
      {with_variant(described({small}), "sort", "no_such_variant"), false},
      {described({"generated:sphere:1"})},
      {described({"mesh", small, "assets/sample.obj", textured})},
      {described({"generated:sphere:4000000000"}), false},
      {described({"particles:1000", "assets/sample.obj"})},
      {showing(described({small}), {"no_such_output"}), false},
      {described({"mesh", small}, {{"animation", "refit"}})},
      {described({"assets"}), false},
      {described({"deformation", textured}, {{"shape", "twist"}})},
      {described({"generated:sphere:100"})},
  };
}

// Bytes of memory that the process has, and descriptors.
struct Taken {
  std::uint64_t memory = 0;
  std::size_t descriptors = 0;
};

Taken taken() {
  malloc_trim(0);  // what is free is not lost
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  const fs::directory_iterator descriptors("/proc/self/fd");
  return {resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)),
          static_cast<std::size_t>(std::distance(fs::begin(descriptors), fs::end(descriptors)))};
}

// Opens it and draws a frame. Error where it opens and should not, or the other way round.
void open(Session& session, Model& model, const Case& next) {
  constexpr double time_step = 1.0 / 60.0;
  bool opened = true;
  std::string why;
  try {
    session.open(next.scene);
  } catch (const Error& error) {
    opened = false;
    why = error.what();
  }
  if (opened != next.opens)
    throw Error(next.scene.spec(), opened ? "was opened, which should not be" : why, "");
  session.advance(time_step);
  session.draw();
  session.texture();
  for (const Message& message : model.messages)
    if (message.kind == Message::Kind::error) throw Error(message.text);
  model.messages.clear();
}

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) * 1e-6; }

bool soak(int opens, std::optional<Backend> backend) {
  constexpr double growth_allowed = 1.02;
  constexpr int picture_side = 64;
  const Folder folder;
  const std::vector<Case> cases = round_of_scenes(folder);
  auto device = open_device(backend);
  const int before_it_counts = device->info().backend == Backend::cpu ? 100 : 500;
  if (opens < 2 * before_it_counts)
    throw Error("a soak of so few opens", fmt::format("{} are not counted", before_it_counts),
                fmt::format("Ask for {} at least", 2 * before_it_counts));
  fmt::print("{} opens on {}\n", opens, device->info().name);
  HeadlessContext context({.prefer_software = device->info().backend == Backend::cpu});
  Model model;
  Session session(model, {}, std::move(device), context.shared(), Session::Mode::headless);
  session.set_view(picture_side, picture_side);
  const auto begin = std::chrono::steady_clock::now();
  const auto round = static_cast<int>(cases.size());
  const int measured = std::min(100, (opens - before_it_counts) / 2);  // opens at either end
  Taken first{.memory = UINT64_MAX};
  Taken last{.memory = UINT64_MAX};
  const auto note = [](Taken& least, const Taken& now) {
    least.memory = std::min(least.memory, now.memory);
    least.descriptors = std::max(least.descriptors, now.descriptors);
  };
  for (int n = 1; n <= opens; ++n) {
    open(session, model, cases[static_cast<std::size_t>(n - 1) % cases.size()]);
    if (n % round != 0 || n < before_it_counts) continue;
    const Taken now = taken();
    if (n <= before_it_counts + measured) note(first, now);
    if (n > opens - measured) note(last, now);
    if (n != before_it_counts && n != opens && n % 500 != 0) continue;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    fmt::print("{:6} opens, {:6.0f} s: {:.2f} MB, {} descriptors\n", n, spent.count(),
               megabytes(now.memory), now.descriptors);
    std::fflush(stdout);
  }
  const double growth = static_cast<double>(last.memory) / static_cast<double>(first.memory);
  fmt::print("memory at the end: {:.2f} MB, {:.4f} of the {:.2f} MB after {} opens\n",
             megabytes(last.memory), growth, megabytes(first.memory), before_it_counts);
  return growth <= growth_allowed && last.descriptors <= first.descriptors;
}

}  // namespace
}  // namespace warpview

int main(int argc, char** argv) {
  int opens = 10'000;
  const std::string_view number = argc > 1 ? argv[1] : "10000";
  const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), opens);
  const bool is_number = failure == std::errc() && end == number.data() + number.size();
  // Whole rounds, so that the last scene is the same.
  if (argc > 3 || !is_number || opens < 200 || opens % 100 != 0) {
    fmt::print(stderr, "Usage: soak [OPENS] [BACKEND]\nOPENS: hundreds, at least 200; 10000\n");
    return 2;
  }
  // Heaps of threads keep what is free in them.
  mallopt(M_ARENA_MAX, 1);
  try {
    const auto backend = warpview::parse_backend(argc > 2 ? argv[2] : "cpu");
    return warpview::soak(opens, backend) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "soak: {}\n", error.what());
    return 1;
  }
}
