// How large the tiles of kernels are.
#pragma once

namespace warpview {

// The extent of a tile, a block or a thread's share: `usual`, or `small` in a build whose tests
// need many tiles of few items (WARPVIEW_SMALL_TILES, which the sanitizers' builds define), and in
// the kernels of recordings, whose tiles are to be seen (WARPVIEW_RECORDED). Both are right;
// `usual` is the fast one.
//
//     inline constexpr unsigned threads = tile_extent(256, 64);
template <class T>
constexpr T tile_extent([[maybe_unused]] T usual, [[maybe_unused]] T small) {
#if defined(WARPVIEW_SMALL_TILES) || defined(WARPVIEW_RECORDED)
  return small;
#else
  return usual;
#endif
}

// The same for an extent that host code uses, too: kernels that are loaded from a module agree with
// the program on it, so recordings have the usual one.
template <class T>
constexpr T agreed_extent([[maybe_unused]] T usual, [[maybe_unused]] T small) {
#if defined(WARPVIEW_SMALL_TILES)
  return small;
#else
  return usual;
#endif
}

}  // namespace warpview
