// A recording as a page that plays it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview::step_views {

// Widths in units that a page has drawings for: of a phone and of a desktop.
inline constexpr std::array page_widths = {332.0F, 1100.0F};

// The most bytes of page_data(), which browsers unpack in memory, and of a page.
inline constexpr std::size_t most_page_data = std::size_t{96} << 20U;
inline constexpr std::size_t most_page_bytes = std::size_t{8} << 20U;

// What the page's player reads: numbers and texts of gpu/recording/bytes.h.
//   1, the version; Strings; ShapeTables; the number of steps; StepTexts;
//   the number of widths; of each: the width, the number of views; of each view: its title, its
//   legend (as numbers of strings), the number of bytes of its Scene, the Scene.
// Error if no view has something to show, or there are more than `most` bytes: it says what fits.
std::vector<std::uint8_t> page_data(const std::shared_ptr<const Recording>& recording,
                                    std::size_t most = most_page_data);

// About how many bytes page_data() and the page of a long recording have, from a few stretches of
// its steps.
struct PageEstimate {
  double data = 0.0, page = 0.0;
};
// An estimate that is too large by less than this factor refuses no page.
inline constexpr double page_estimate_margin = 1.5;
PageEstimate estimated_page(const std::shared_ptr<const Recording>& recording);

// A self-contained document. It starts at step `first` (default 0), and shows this step without
// JavaScript, too. `note` is shown below the heading. Error as above, if the page has more than
// most_page_bytes, which an estimate tells soon, or if the recording has fewer steps.
std::string recording_as_page(const std::shared_ptr<const Recording>& recording,
                              std::optional<std::uint32_t> first, std::string_view note = {});

}  // namespace warpview::step_views
