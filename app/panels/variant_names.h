// How panels name variants: by title, with the name that the command line takes small beside it.
#pragma once

#include <string>

#include "app/panels/widgets.h"
#include "gpu/catalogue.h"

namespace warpview {

// "Count, scan, reorder (count_scan_reorder)"; the title alone where both say the same.
std::string full_name(const Variant& variant);

// A line of a list. `why_not`, of one that is unavailable: what it lacks. `times`: its times, if
// there are any. True when it was chosen.
bool variant_choice(const Fonts& fonts, const Variant& variant, bool chosen,
                    const std::string& why_not = {}, const std::string& times = {});

}  // namespace warpview
