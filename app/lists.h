// What --version, --list-backends, --list-variants and --list-scenes print.
#pragma once

#include <string>

namespace warpview {

std::string version_as_text();
std::string list_backends_as_text();
std::string list_variants_as_text();
std::string list_scenes_as_text();
// The page docs/primitives/README.md.
std::string list_variants_as_markdown();

}  // namespace warpview
