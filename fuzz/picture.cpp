// A picture file of the kind that begins with PICTURE_MAGIC, which replaces the input's first
// bytes. TGA has none.
#include "scenes/files/picture.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "fuzz/promises.h"

namespace warpview::fuzz {
namespace {

constexpr std::string_view magic = PICTURE_MAGIC;

void decode(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size < magic.size()) return;
  std::vector<std::byte> file(size);  // a separate block, so that reads past its end are found
  std::memcpy(file.data(), data, size);
  std::memcpy(file.data(), magic.data(), magic.size());
  const LoadControl control;
  try {
    require_well_formed(decode_picture(file, memory_for_loading, control));
  } catch (const Error&) {
    return;
  }
}

}  // namespace
}  // namespace warpview::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpview::fuzz::decode(data, size);
  return 0;
}
