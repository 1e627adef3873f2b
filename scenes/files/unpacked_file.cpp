#include "scenes/files/unpacked_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string_view>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {

void UnpackedFile::Close::operator()(gzFile_s* file) const { gzclose(file); }

UnpackedFile::UnpackedFile(InputFile file)
    : file_(std::move(file)), gzip_(gzdopen(file_.duplicate(), "rb")) {
  constexpr unsigned packed_at_a_time = 1 << 16;
  if (!gzip_ || gzbuffer(gzip_.get(), packed_at_a_time) != 0) throw std::bad_alloc();
}

double UnpackedFile::fraction_read() const {
  const auto whole = static_cast<double>(file_.size());
  const auto read = static_cast<double>(gzoffset(gzip_.get()));
  return whole > 0.0 ? std::clamp(read / whole, 0.0, 1.0) : 0.0;
}

std::size_t UnpackedFile::read(std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    constexpr std::size_t most = std::numeric_limits<int>::max();
    const auto asked = static_cast<unsigned>(std::min(into.size() - done, most));
    const int got = gzread(gzip_.get(), into.data() + done, asked);
    if (got == 0) break;
    if (got > 0) {
      done += static_cast<std::size_t>(got);
      continue;
    }
    int error = Z_OK;
    const std::string_view why = gzerror(gzip_.get(), &error);
    if (error == Z_BUF_ERROR) break;  // cut off
    if (error == Z_MEM_ERROR) throw std::bad_alloc();
    throw Error(path().string(), fmt::format("cannot be unpacked: {}", why),
                "Fetch it again, or unpack it with gunzip");
  }
  return done;
}

}  // namespace warpview
