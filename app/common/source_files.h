// The sources of a variant, for the laboratory's Code tab.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/runtime/launch_log.h"

namespace warpview {

// Returns the variant's own file; the headers of gpu/ that it includes, directly included ones
// first; and the files of other kernels that it launched, from primitives that it is built on.
// Except for the first, only embedded files are listed.
std::vector<std::string> source_files(const Variant& variant,
                                      std::span<const LaunchRecord> launches = {});

// Where a kernel is defined.
struct KernelPlace {
  std::string file;
  int line;  // from 0
};

// Finds the first of the files that defines a kernel, named as in its launch:
// "sort::onesweep_kernel<Key>".
std::optional<KernelPlace> find_kernel(std::span<const std::string> files,
                                       std::string_view launched);

// "onesweep_kernel" of "sort::onesweep_kernel<unsigned int>".
std::string_view bare_name(std::string_view kernel);

}  // namespace warpview
