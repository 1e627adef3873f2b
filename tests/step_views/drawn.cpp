#include "tests/step_views/drawn.h"

#include <algorithm>

#include "gpu/runtime/error.h"

namespace warpview::test {
namespace {

const StepViewRow& row_named(std::string_view name) {
  for (const StepViewRow& row : all_step_views())
    if (row.name == name) return row;
  throw Error("a view", "there is none of this name", std::string(name));
}

constexpr float drawn_em = 14.0F;

}  // namespace

bool has_view(std::string_view view, const Recording& recording) {
  return row_named(view).is_for(recording);
}

Drawn::Drawn(std::string_view view, std::shared_ptr<const Recording> recording, float width,
             std::uint32_t block)
    : recording_(std::move(recording)),
      view_(row_named(view).make(recording_)),
      playback_(recording_),
      surface_{.width = width,
               .height = 400.0F,
               .em = drawn_em,
               .text_width =
                   [](std::string_view words) {
                     return 0.6F * drawn_em * static_cast<float>(words.size());
                   }},
      focus_{.block = block} {}

Drawn& Drawn::at(std::size_t step) {
  playback_.seek(step);
  drawing_ = view_->draw(playback_, focus_, surface_);
  return *this;
}

std::vector<std::string> Drawn::texts_with(std::string_view part) const {
  std::vector<std::string> texts;
  for (const PlotShape& shape : shapes())
    if (shape.words.find(part) != std::string::npos) texts.push_back(shape.words);
  return texts;
}

std::string Drawn::text_of(std::string_view name) const {
  for (const PlotShape& shape : shapes())
    if (shape.name == name && !shape.words.empty()) return shape.words;
  return {};
}

std::set<std::string> Drawn::names_of(int ink, std::string_view begin) const {
  std::set<std::string> names;
  for (const PlotShape& shape : shapes())
    if (shape.ink == ink && shape.name.starts_with(begin)) names.insert(shape.name);
  return names;
}

std::size_t Drawn::count(int ink, PlotShape::Kind kind) const {
  return static_cast<std::size_t>(std::count_if(
      shapes().begin(), shapes().end(),
      [&](const PlotShape& shape) { return shape.ink == ink && shape.kind == kind; }));
}

WrittenRun::WrittenRun(std::string primitive, std::uint32_t blocks, std::uint32_t threads) {
  recording_.primitive = std::move(primitive);
  recording_.places.emplace_back();
  recording_.launches.push_back(
      {.kernel = "kernel", .grid = {blocks, 1, 1}, .block = {threads, 1, 1}});
  recording_.events.push_back({.kind = EventKind::launch});
}

std::uint32_t WrittenRun::array(std::string name, std::string type, std::uint32_t element_bytes,
                                std::uint32_t elements) {
  const std::uint32_t bytes = element_bytes * elements;
  recording_.arrays.push_back({.name = std::move(name),
                               .type = std::move(type),
                               .element_bytes = element_bytes,
                               .bytes = bytes,
                               .before = std::vector<std::uint8_t>(bytes)});
  return static_cast<std::uint32_t>(recording_.arrays.size() - 1);
}

WrittenRun& WrittenRun::begin(std::uint32_t block) {
  recording_.events.push_back({.kind = EventKind::block_begin, .block = block});
  return *this;
}

WrittenRun& WrittenRun::access(EventKind kind, std::uint32_t block, std::uint16_t thread,
                               std::uint32_t array, std::uint32_t offset, std::uint64_t value,
                               std::uint8_t bytes) {
  const auto first = static_cast<std::uint16_t>(thread - thread % recording_.warp_size);
  recording_.events.push_back({.kind = EventKind::step,
                               .thread = first,
                               .block = block,
                               .value = std::uint64_t{1} << (thread - first),
                               .other = ~std::uint64_t{0}});
  recording_.events.push_back({.kind = kind,
                               .bytes = bytes,
                               .thread = thread,
                               .block = block,
                               .subject = array,
                               .offset = offset,
                               .value = value});
  return *this;
}

WrittenRun& WrittenRun::event(EventKind kind, std::uint32_t block, std::uint16_t thread) {
  recording_.events.push_back({.kind = kind, .thread = thread, .block = block});
  return *this;
}

}  // namespace warpview::test
