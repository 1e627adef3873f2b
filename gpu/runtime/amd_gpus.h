// The AMD GPUs of this machine, found without HIP: its runtime ends the program at the first call
// if one of them has no code in the module ("hipErrorNoBinaryForGpu").
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpview {

// "gfx1030" for each GPU that the system's driver lists. None if there is no driver.
std::vector<std::string> amd_gpus(
    const std::filesystem::path& nodes = "/sys/class/kfd/kfd/topology/nodes");

// UnavailableError if the program was not compiled for one of `gpus`.
void check_compiled_for(const std::vector<std::string>& gpus,
                        const std::vector<std::string>& compiled);

}  // namespace warpview
