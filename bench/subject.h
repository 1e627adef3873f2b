// What is measured: every primitive with random input of one size, run by any of its variants.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "gpu/catalogue.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/scratch.h"

namespace warpview::bench {

// The input of one primitive on the device, and room for its output.
class Subject {
 public:
  virtual ~Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  // Queues one run by the variant in row `row` of the catalogue. Allocates at the first run only.
  virtual void run(int row) = 0;
  // How the output of the last run, which was by `row`, first differs from the sequential
  // reference; empty where it does not.
  virtual std::string check(int row) = 0;

  // Bytes that the variant moves through device memory at least, by its row.
  double bytes(int row) const;

 protected:
  Subject(Device& device, Stream& stream, std::uint32_t n, double key_bytes = 4, double passes = 4)
      : device_(device),
        stream_(stream),
        scratch_(device),
        n_(n),
        key_bytes_(key_bytes),
        passes_(passes) {}

  Device& device_;
  Stream& stream_;
  Scratch scratch_;
  std::uint32_t n_;

 private:
  double key_bytes_, passes_;
};

struct SubjectKind {
  const char* name;
  Primitive primitive;
  const char* input;  // for the reader of the table
  // `n` items.
  std::unique_ptr<Subject> (*make)(Device& device, Stream& stream, std::uint32_t n);
};

std::span<const SubjectKind> subject_kinds();

}  // namespace warpview::bench
