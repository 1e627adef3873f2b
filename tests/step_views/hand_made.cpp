#include "tests/step_views/hand_made.h"

#include <utility>

namespace warpview::test {

HandMade::HandMade(std::uint32_t blocks, std::uint32_t threads) {
  recording_.places.resize(1);
  recording_.arrays = {{.name = "out",
                        .type = "u32",
                        .element_bytes = 4,
                        .bytes = 1024,
                        .before = std::vector<std::uint8_t>(1024, 0)},
                       {.name = "tile",
                        .type = "u32",
                        .element_bytes = 4,
                        .bytes = 1024,
                        .kind = ArrayKind::shared,
                        .before = {}}};
  recording_.launches = {
      {.kernel = "test::wave_kernel<int>", .grid = {blocks, 1, 1}, .block = {threads, 1, 1}}};
  event({.kind = EventKind::launch});
}

void HandMade::access(EventKind kind, std::uint32_t array, std::uint32_t first, std::uint32_t end,
                      std::uint32_t stride, std::uint32_t live) {
  const auto lanes_below = [](std::uint32_t lane) { return (std::uint64_t{1} << lane) - 1; };
  event({.kind = EventKind::step,
         .value = lanes_below(end) & ~lanes_below(first),
         .other = lanes_below(live)});
  for (std::uint32_t i = first; i < end; ++i)
    event({.kind = kind,
           .bytes = 4,
           .thread = static_cast<std::uint16_t>(i),
           .subject = array,
           .offset = 4 * stride * i,
           .value = 100 + i});
}

void HandMade::arrive(std::uint32_t block, std::uint32_t threads) {
  for (std::uint32_t i = 0; i < threads; ++i)
    event({.kind = EventKind::arrive, .thread = static_cast<std::uint16_t>(i), .block = block});
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
