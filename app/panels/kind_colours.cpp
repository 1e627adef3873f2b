#include "app/panels/kind_colours.h"

#include "app/panels/style.h"

namespace warpview {
namespace {

// Members of the palette.
enum Colour : std::size_t { gold, blue, yellow, purple, green, rust, mint, sky };

Colour colour_of(Primitive primitive) {
  switch (primitive) {
    case Primitive::scan:
    case Primitive::block_scan:
    case Primitive::select:
    case Primitive::partition:
    case Primitive::reduce_by_key:
    case Primitive::run_length:
    case Primitive::expand:
    case Primitive::enqueue:
    case Primitive::flags:
      return blue;
    case Primitive::reduce:
    case Primitive::counter:
    case Primitive::vote:
      return green;
    case Primitive::sort:
      return purple;
    case Primitive::dedup:
    case Primitive::hash_map:
    case Primitive::hash_set:
    case Primitive::spatial_hash:
    case Primitive::reuse:
      return yellow;
    case Primitive::morton:
    case Primitive::layout:
    case Primitive::staging:
    case Primitive::latency:
    case Primitive::l2:
    case Primitive::memory:
    case Primitive::matrix:
      return sky;
    case Primitive::build:
    case Primitive::refit:
    case Primitive::optimise:
    case Primitive::collapse:
    case Primitive::trace:
      return rust;
    case Primitive::schedule:
    case Primitive::persistent:
    case Primitive::queue:
    case Primitive::lock:
    case Primitive::pool:
    case Primitive::branches:
    case Primitive::signal:
    case Primitive::chain:
      return gold;
  }
  return mint;
}

}  // namespace

ImU32 colour_of_kind(std::optional<Primitive> primitive) {
  return colour_of_part(primitive ? colour_of(*primitive) : mint);
}

ImU32 colour_of_stage(const StageResult& stage) { return colour_of_kind(stage.primitive); }

}  // namespace warpview
