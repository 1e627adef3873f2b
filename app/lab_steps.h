// The recordings that the laboratory's Steps tab plays: the requests and their results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gpu/catalogue.h"
#include "gpu/lab/laboratory.h"
#include "gpu/recording/recording.h"
#include "gpu/runtime/recorded_device.h"

namespace warpview {

struct PlayedRun;  // app/played_run.h

struct RecordingQuestion {
  lab::Question question;  // its seed is the input's
  VariantId variant;
  std::uint64_t seed = 0;  // of the schedule
  unsigned interleave = usual_interleave;
  unsigned warp_size = 32;
  BlockRanges blocks = {};
  bool operator==(const RecordingQuestion&) const = default;
};

struct LabSteps {
  static constexpr int most_exponent = 14;  // of items, as a power of two
  static constexpr std::size_t sides = 2;

  // Chosen by the user.
  std::array<std::uint32_t, primitive_count> items{};  // by primitive; 0: the default number
  std::array<std::string, primitive_count> typed{};    // numbers, by primitive; empty: generated
  // What inputs are made from, of forms that take a mesh; null: from what is said above.
  std::shared_ptr<const lab::MeshInput> mesh{};
  std::uint64_t seed = 0;
  unsigned interleave = usual_interleave;
  unsigned warp_size = 32;
  std::string blocks;  // that are recorded, as parse_blocks() reads them; empty: all

  struct Side {
    std::shared_ptr<PlayedRun> run{};  // kept until the next one is ready; null: none yet
    // The last request that was not recorded, and the reason; an empty reason: it was cancelled.
    std::optional<RecordingQuestion> given_up{};
    std::string error{};
  };
  std::array<Side, sides> shown;  // side by side; the second for comparison
  bool opened = false;            // a file was opened, and the tab has yet to be selected
  // A stage of the scene, which the tab has yet to show on the mesh.
  struct Watched {
    VariantId variant;
    int form = 0;
  };
  std::optional<Watched> watched{};
  std::optional<std::size_t> recording{};  // the side that is being recorded
  std::string building;                    // progress of the module's build; empty: it is built
  bool cancelling = false;
};

}  // namespace warpview
