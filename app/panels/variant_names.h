// How panels name variants: by title, with the name that the command line takes small beside it.
#pragma once

#include <string>

#include "app/panels/widgets.h"
#include "gpu/catalogue.h"

namespace warpview {

// "Count, scan, reorder (count_scan_reorder)"; the title alone where both say the same.
std::string full_name(const Variant& variant);

// Draws a variant as a line of a list: its title, its name, and its times or, if it is unavailable,
// what it lacks. Returns true when the user chose it.
bool variant_choice(const Fonts& fonts, const Variant& variant, bool chosen,
                    const std::string& why_not = {}, const std::string& times = {});

}  // namespace warpview
