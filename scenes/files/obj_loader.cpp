#include "scenes/files/obj_loader.h"

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "scenes/files/obj_block.h"
#include "scenes/files/polygon_loader.h"
#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// Peak host memory over file size, as measured: 1.6 for a triangle mesh with positions, normals and
// texture coordinates, 4.3 with positions alone, 20 where a million faces share a few vertices. The
// estimate before reading takes the smallest, so that no file that fits is refused; what is really
// needed is checked while reading, and again before the corners are made.
constexpr double memory_per_file_byte = 1.6;

// Blocks read ahead for each reading thread.
constexpr std::size_t blocks_ahead = 2;

// One load. Threads share the work block by block.
class ObjLoader {
 public:
  ObjLoader(const fs::path& path, LoadControl& control, const LoadLimits& limits,
            const MeshOptions& options)
      : path_(path),
        control_(control),
        limits_(limits),
        text_(PolygonLoader::open(path, control),
              [this](double fraction) { polygons_.report_read(fraction); }),
        polygons_(path, control, limits, options, PolygonTroubles::Unit::line) {}

  Mesh load() {
    control_.begin_phase("reading the file");
    limits_.require_memory(
        path_.string(),
        static_cast<std::uint64_t>(memory_per_file_byte * static_cast<double>(text_.file_size())));
    Crew& crew = polygons_.crew();
    while (!is_no_text_) {
      std::optional<TextBlock> text = text_.next();
      if (!text) break;
      PolygonBlock& block = polygons_.add_block();
      crew.add([this, &block, text = *std::move(text)]() mutable { read(block, std::move(text)); });
      while (crew.waiting() > blocks_ahead * crew.size()) crew.help();
    }
    crew.finish();
    require_text();
    require_statements();
    return polygons_.make_mesh(text_.file_has_changed());
  }

 private:
  void read(PolygonBlock& block, TextBlock text) {
    block = read_obj_block(std::move(text));
    polygons_.count(block);
    if (block.zero_line > 0) is_no_text_ = true;
  }

  void require_text() const {
    std::uint64_t lines = 0;
    for (const PolygonBlock& block : polygons_.blocks()) {
      if (block.zero_line > 0) throw_no_text(path_, lines + block.zero_line);
      lines += block.lines;
    }
  }

  void require_statements() {
    std::uint64_t lines = 0;
    std::uint64_t statements = 0;
    Occurrences& foreign = polygons_.troubles().foreign;
    for (const PolygonBlock& block : polygons_.blocks()) {
      statements += block.statements;
      foreign.add(block.foreign, lines);
      lines += block.lines;
    }
    if (statements > 0) return;
    if (text_.file_has_changed()) polygons_.throw_changed();
    if (text_.bytes_read() == 0) throw_empty(path_);
    const std::string where =
        foreign.count > 0 ? fmt::format("{}:{}", path_.string(), foreign.first) : path_.string();
    throw Error(where,
                foreign.count > 0 ? "neither this line nor any other contains an OBJ statement"
                                  : "the file contains no OBJ statement",
                fmt::format("Open an {}", readable_files));
  }

  const fs::path& path_;
  LoadControl& control_;
  const LoadLimits& limits_;
  std::atomic<bool> is_no_text_{false};
  TextBlocks text_;
  PolygonLoader polygons_;  // last: what its crew does ends before all else
};

}  // namespace

Mesh load_obj(const fs::path& path, LoadControl& control, const LoadLimits& limits,
              const MeshOptions& options) {
  return load_whole(path, control,
                    [&] { return ObjLoader(path, control, limits, options).load(); });
}

}  // namespace warpview
