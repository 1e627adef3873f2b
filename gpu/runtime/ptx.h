// PTX of the kernel files, as nvcc wrote it when this program was built.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

// PTX of a kernel file such as "gpu/primitives/scan/lookback.cu", or of a header that a kernel file
// of its folder includes, and of everything that was compiled together with it: the batch
// (cmake/batches.cmake). Empty if there is none.
std::string ptx_of(std::string_view kernel_file);
// Why there is none, in one sentence; empty if there is one.
std::string why_no_ptx(std::string_view kernel_file);

// One kernel in a PTX file.
struct PtxEntry {
  std::string symbol;  // its mangled name
  std::string name;    // for the user: "one_pass_kernel<WarpLooksBack>"
  int line = 0;        // line of its .entry, from 0
};
std::vector<PtxEntry> ptx_entries(std::string_view ptx);
// The requested kernels, and from the text outside of kernels the head and what these kernels name.
std::string only_entries(std::string_view ptx, const std::function<bool(const PtxEntry&)>& wanted);

// Returns "one_pass_kernel<WarpLooksBack>" for a mangled name; the name itself if it is not
// mangled.
std::string kernel_for_people(const std::string& symbol);

// Do both names belong to one kernel? The compiler's marks of unnamed namespaces do not count.
bool same_symbol(std::string_view a, std::string_view b);

}  // namespace warpview
