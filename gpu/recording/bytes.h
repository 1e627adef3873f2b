// Numbers and strings in a row of bytes, written and read again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/runtime/error.h"

namespace warpview {

// Numbers near 0 become small ones, whatever their sign.
constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return difference << 1U ^ (difference >> 63U != 0 ? ~std::uint64_t{0} : 0);
}
constexpr std::uint64_t unzigzag(std::uint64_t number) {
  return number >> 1U ^ (0 - (number & 1U));
}

class ByteWriter {
 public:
  // 7 bits a byte, the lowest first.
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes.push_back(static_cast<std::uint8_t>(value | 0x80U));
    bytes.push_back(static_cast<std::uint8_t>(value));
  }
  void data(std::span<const std::uint8_t> some) {
    number(some.size());
    bytes.insert(bytes.end(), some.begin(), some.end());
  }
  void text(const std::string& some) {
    number(some.size());
    bytes.insert(bytes.end(), some.begin(), some.end());
  }

  std::vector<std::uint8_t> bytes;
};

// Error where the bytes end too early, or a number exceeds what may stand there.
class ByteReader {
 public:
  ByteReader(std::span<const std::uint8_t> bytes, const std::string& name)
      : bytes_(bytes), name_(name) {}

  [[noreturn]] void refuse(const char* why) const {
    throw Error("reading " + name_, std::string("the recording is damaged: ") + why,
                "Record again");
  }
  std::uint8_t byte() {
    if (at_ == bytes_.size()) refuse("it ends too early");
    return bytes_[at_++];
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t next = byte();
      if (shift == 63 && next > 1) break;
      value |= (next & 0x7fU) << shift;
      if (next < 0x80) return value;
    }
    refuse("a number has too many bytes");
  }
  // A number up to `most`.
  template <class T>
  T number(T most, const char* what) {
    const std::uint64_t value = number();
    if (value > most) refuse(what);
    return static_cast<T>(value);
  }
  // How many things follow, each of which takes a byte at least.
  std::size_t count(std::size_t most, const char* what) {
    const std::uint64_t things = number();
    if (things > std::min(most, bytes_.size() - at_)) refuse(what);
    return things;
  }
  std::span<const std::uint8_t> data() {
    const std::size_t size = count(bytes_.size(), "data exceed the file");
    const auto some = bytes_.subspan(at_, size);
    at_ += size;
    return some;
  }
  std::string text() {
    const auto some = data();
    return {some.begin(), some.end()};
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
};

}  // namespace warpview
