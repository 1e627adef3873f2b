// The AMD GPUs of this machine, before HIP is asked: its runtime ends the program at the first call
// where one of them has no code in the module ("hipErrorNoBinaryForGpu").
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpview {

// "gfx1030" of each GPU that the system's driver tells of. None where it is not there.
std::vector<std::string> amd_gpus(
    const std::filesystem::path& nodes = "/sys/class/kfd/kfd/topology/nodes");

// UnavailableError when one of `gpus` is none of those that were compiled for.
void check_compiled_for(const std::vector<std::string>& gpus,
                        const std::vector<std::string>& compiled);

}  // namespace warpview
