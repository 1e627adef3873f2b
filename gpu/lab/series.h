// Questions to the laboratory that differ in their size, and their answers as they arrive.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/lab/laboratory.h"

namespace warpview::lab {

// 2^first, 2^(first + 1), ... 2^last; exponents from 0 to 31. Empty if first > last.
std::vector<std::uint32_t> powers_of_two(int first, int last);

// The exponent of the largest power of two that is at most `fits` items and that some variant of
// the primitive takes. `fits` is above 0.
int largest_power(Primitive primitive, std::uint32_t fits);

// Returns the question once for each of the sizes.
std::vector<Question> at_sizes(Question question, const std::vector<std::uint32_t>& sizes);

// Which variants of a question to run, and the callbacks for their answers. Null functions do
// nothing, or select all.
struct Audience {
  std::function<bool(VariantId variant)> wants;
  std::function<void(const Question& question, VariantId variant)> begin;
  std::function<void(Answer answer)> tell;
  bool only_verify = false;  // time nothing
};

// Takes the question, and runs one variant after the other, the library's first: verified, and then
// timed. Ends early if laboratory.stop says so. Error if the input does not fit.
void answer(Laboratory& laboratory, const Question& question, const Audience& audience);

}  // namespace warpview::lab
