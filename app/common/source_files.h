// The sources of a variant, as the laboratory's Code tab offers them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/runtime/launch_log.h"

namespace warpview {

// The variant's own file; the headers of gpu/ that it is made of, those that it includes itself
// before those that these include, and so on; and the other files whose kernels it launched, of
// primitives that it is built on. Only files that the program holds (but the first in any case).
std::vector<std::string> source_files(const Variant& variant,
                                      std::span<const LaunchRecord> launches = {});

// Where a kernel is defined.
struct KernelPlace {
  std::string file;
  int line;  // from 0
};

// The first of the files that defines a kernel, by its name as a launch spells it:
// "sort::onesweep_kernel<Key>".
std::optional<KernelPlace> find_kernel(std::span<const std::string> files,
                                       std::string_view launched);

// "onesweep_kernel" of "sort::onesweep_kernel<unsigned int>".
std::string_view bare_name(std::string_view kernel);

}  // namespace warpview
