#include "app/choices.h"

namespace warpview {

std::map<std::string, VariantId> chosen_in(const Timeline& timeline) {
  std::map<std::string, VariantId> chosen;
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    const auto stage = static_cast<StageId>(i);
    if (const auto variant = timeline.chosen(stage))
      chosen.emplace(timeline.info(stage).name, *variant);
  }
  return chosen;
}

StageVariants with_choices(const Timeline& timeline, const Choices& choices) {
  StageVariants all = timeline.choices();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto named = choices.variants.find(timeline.info(static_cast<StageId>(i)).name);
    if (all[i] && named != choices.variants.end()) all[i] = named->second;
  }
  return all;
}

}  // namespace warpview
