// How a scene is set: what is chosen for it, by the names that its parts have.
#pragma once

#include <map>
#include <set>
#include <string>

#include "gpu/catalogue.h"
#include "gpu/timeline/timeline.h"
#include "scenes/controls.h"

namespace warpview {

struct Choices {
  Controls controls{};
  std::map<std::string, VariantId> variants{};  // by stage; of others there is one way
  std::set<std::string> shown{};                // outputs
  bool playing = true;                          // does time pass?

  bool operator==(const Choices&) const = default;
  // The variants, for another scene that may lack some of the stages.
  VariantWishes wishes() const {
    VariantWishes all;
    for (const auto& [stage, variant] : variants) all.add(stage, variant->name);
    return all;
  }
};

// The variants that a scene's stages have, by name.
std::map<std::string, VariantId> chosen_in(const Timeline& timeline);
// The variants of all stages: those that the choices name, and else those that they have.
StageVariants with_choices(const Timeline& timeline, const Choices& choices);

}  // namespace warpview
