// Changes a PNG file, and then writes the correct checksums of its chunks: with wrong ones the
// reader never gets past them.
#include <zlib.h>

#include <cstddef>
#include <cstdint>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

constexpr std::size_t signature_bytes = 8;

std::uint32_t big_endian(const std::uint8_t* bytes) {
  std::uint32_t number = 0;
  for (int i = 0; i < 4; ++i) number = number << 8U | bytes[i];
  return number;
}

// A chunk: length of the data, type, data, checksum of type and data; four bytes each except the
// data.
void mend_checksums(std::uint8_t* data, std::size_t size) {
  constexpr std::size_t around = 12;
  std::size_t at = signature_bytes;
  while (at + around <= size) {
    const std::size_t length = big_endian(data + at);
    if (length > size - at - around) return;
    std::uint8_t* const type = data + at + 4;
    const auto check = static_cast<std::uint32_t>(crc32(0, type, static_cast<uInt>(4 + length)));
    for (unsigned i = 0; i < 4; ++i)
      type[4 + length + i] = static_cast<std::uint8_t>(check >> (24U - 8U * i));
    at += around + length;
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, most);
  constexpr unsigned one_in = 16;  // keeps its wrong checksums
  if (seed % one_in != 0) mend_checksums(data, size);
  return size;
}
