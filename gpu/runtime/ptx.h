// PTX of the kernel files, as nvcc wrote it when this program was built.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

// Of "gpu/primitives/scan/lookback.cu", say, or of a header that a kernel file of its folder
// includes, and of what was compiled together with it: the batch's (cmake/batches.cmake). Empty
// where there is none.
std::string ptx_of(std::string_view kernel_file);
// Why there is none, in one sentence; empty where there is.
std::string why_no_ptx(std::string_view kernel_file);

// One kernel in a PTX file.
struct PtxEntry {
  std::string symbol;  // its mangled name
  std::string name;    // for people: "one_pass_kernel<WarpLooksBack>"
  int line = 0;        // of its .entry, from 0
};
std::vector<PtxEntry> ptx_entries(std::string_view ptx);
// The kernels that are wanted, and of what stands outside of kernels the head and what these name.
std::string only_entries(std::string_view ptx, const std::function<bool(const PtxEntry&)>& wanted);

// "one_pass_kernel<WarpLooksBack>" of a mangled name; the name itself where it is none.
std::string kernel_for_people(const std::string& symbol);

// Are both names of one kernel? The compiler's marks of unnamed namespaces do not count.
bool same_symbol(std::string_view a, std::string_view b);

}  // namespace warpview
