// Rows of the catalogue, and mutants of them: see CMakeLists.txt.
#pragma once

#include <string>

namespace warpview::test {

// Runs a mutant by its name, or a row as it is ("reduce=last_block"), over several tiles, in every
// form and many times, as not every schedule shows a fault. False if there is no such mutant or
// row.
bool run_row(const std::string& name);

}  // namespace warpview::test
