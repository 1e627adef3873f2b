#include "scenes/files/unpacked_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

constexpr std::size_t packed_at_a_time = 1 << 16;

bool is_gzip(std::span<const char> bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

}  // namespace

struct UnpackedFile::Stream {
  z_stream z{};
  bool ended = false;  // a member of the file; another one may follow

  Stream() {
    constexpr int gzip_with_any_window = 16 + MAX_WBITS;
    if (inflateInit2(&z, gzip_with_any_window) != Z_OK) throw std::bad_alloc();
  }
  ~Stream() { inflateEnd(&z); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

UnpackedFile::UnpackedFile(InputFile file) : file_(std::move(file)) {
  refill();
  if (is_gzip(packed_)) stream_ = std::make_unique<Stream>();
}

UnpackedFile::~UnpackedFile() = default;

double UnpackedFile::fraction_read() const {
  const auto rest = static_cast<double>(packed_.size() - begin_);
  const auto whole = static_cast<double>(file_.size());
  return whole > 0.0 ? std::clamp((static_cast<double>(bytes_read_) - rest) / whole, 0.0, 1.0)
                     : 0.0;
}

// Only when all has been unpacked. False at the end of the file.
bool UnpackedFile::refill() {
  packed_.resize(packed_at_a_time);
  begin_ = 0;
  packed_.resize(file_.read(packed_));
  bytes_read_ += packed_.size();
  return !packed_.empty();
}

std::size_t UnpackedFile::read(std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    if (begin_ == packed_.size() && !refill()) break;
    const std::span<char> rest = into.subspan(done);
    if (!stream_) {
      const std::size_t count = std::min(rest.size(), packed_.size() - begin_);
      std::copy_n(packed_.data() + begin_, count, rest.data());
      begin_ += count;
      done += count;
      continue;
    }
    if (std::exchange(stream_->ended, false)) {
      // What follows the last member and is none is padding.
      if (packed_[begin_] != '\x1f') break;
      inflateReset(&stream_->z);
    }
    z_stream& z = stream_->z;
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    z.next_in = reinterpret_cast<Bytef*>(packed_.data() + begin_);
    z.avail_in = static_cast<uInt>(packed_.size() - begin_);
    z.next_out = reinterpret_cast<Bytef*>(rest.data());
    z.avail_out = static_cast<uInt>(std::min(rest.size(), most));
    const uInt room = z.avail_out;
    const int result = inflate(&z, Z_NO_FLUSH);
    begin_ = packed_.size() - z.avail_in;
    done += room - z.avail_out;
    stream_->ended = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
      throw Error(path().string(),
                  fmt::format("cannot be unpacked: {}", z.msg != nullptr ? z.msg : "damaged data"),
                  "Fetch it again, or unpack it with gunzip");
  }
  return done;
}

}  // namespace warpview
