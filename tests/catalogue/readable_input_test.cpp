// Input that is followed by eye: numbers that a user types, and small random ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/lab/laboratory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using lab::Distribution;
using lab::Question;

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(ReadableInput, NumbersAreRead) {
  EXPECT_EQ(lab::typed_numbers("8,1, -7 4"), (std::vector<std::int64_t>{8, 1, -7, 4}));
  for (const char* text : {"", " , ", "1,a", "1,2.5", "0x1", "9223372036854775808"})
    EXPECT_NE(message_of([&] { lab::typed_numbers(text); }), "") << text;
  std::string many;
  for (std::size_t i = 0; i < lab::most_typed; ++i) many += "1,";
  EXPECT_EQ(lab::typed_numbers(many).size(), lab::most_typed);
  EXPECT_NE(message_of([&] { lab::typed_numbers(many + "1"); }), "");
}

// All variants of all forms that take numbers give what the reference gives.
TEST(ReadableInput, EveryVariantTakesIt) {
  Device& device = *devices_for(64).front().device;
  lab::Laboratory laboratory(device);
  std::size_t forms = 0;
  for (int p = 0; p < primitive_count; ++p) {
    const auto primitive = static_cast<Primitive>(p);
    for (int form = 0; form < static_cast<int>(lab::experiment(primitive).forms.size()); ++form) {
      const auto range = lab::number_range(primitive, form);
      if (!range) continue;
      ++forms;
      std::vector<std::int64_t> numbers = {8, 1, 7, 4, 6, 3, 5, 2, 7};
      for (std::int64_t& number : numbers) number = std::min(number, range->most);
      Question typed{.primitive = primitive, .form = form};
      lab::type_input(typed, numbers);
      const Question small{
          .primitive = primitive, .form = form, .distribution = Distribution::small, .n = 100};
      for (const Question& question : {typed, small}) {
        laboratory.ask(question);
        for (const VariantId variant : laboratory.variants()) {
          const lab::Answer answer = laboratory.verify(variant);
          EXPECT_EQ(answer.difference, "")
              << to_string(primitive) << " " << variant->name << ", form " << form << ", "
              << to_string(question.distribution);
        }
      }
    }
  }
  EXPECT_GT(forms, 30U);
}

TEST(ReadableInput, IsTheInput) {
  Device& device = *devices_for(64).front().device;
  const auto stream = device.create_stream();
  Question question{.primitive = Primitive::scan, .form = 1};
  lab::type_input(question, {3, 1, 7, 0, 4, 1, 6, 3});
  const auto scan = lab::make_experiment(device, *stream, question);
  ASSERT_EQ(scan->run_verified(default_variant(Primitive::scan, device.info().backend)), "");
  std::vector<std::uint32_t> got(8);
  stream->copy(got.data(), scan->result().front().data, 32, Copy::device_to_host);
  stream->synchronize();
  EXPECT_EQ(got, (std::vector<std::uint32_t>{3, 4, 11, 11, 15, 16, 22, 25}));
}

TEST(ReadableInput, FormsWithoutNumbersRefuseIt) {
  Device& device = *devices_for(64).front().device;
  const auto stream = device.create_stream();
  const auto refusal = [&](Primitive primitive, const char* form,
                           std::vector<std::int64_t> numbers) {
    Question question{.primitive = primitive, .form = lab::find_form(primitive, form)};
    lab::type_input(question, std::move(numbers));
    return message_of([&] { lab::make_experiment(device, *stream, question); });
  };
  EXPECT_EQ(refusal(Primitive::scan, "exclusive", {1, 2}), "");
  EXPECT_NE(refusal(Primitive::scan, "exclusive", {-1, 2}), "");
  EXPECT_NE(refusal(Primitive::scan, "affine_u32", {1, 2}), "");
  EXPECT_NE(refusal(Primitive::block_scan, "bits", {1, 2}), "");
  EXPECT_EQ(refusal(Primitive::reduce, "sum_i32", {-1, 2}), "");
  EXPECT_NE(refusal(Primitive::reduce, "dot_f32", {1, 2}), "");
  const auto distribution = [](Primitive primitive, const char* variant) {
    return lab::recorded_distribution(find_variant(primitive, variant), 0);
  };
  EXPECT_EQ(distribution(Primitive::scan, "lookback"), Distribution::small);
  EXPECT_EQ(distribution(Primitive::dedup, "hash"),
            lab::experiment(Primitive::dedup).distributions.front());
  // The highest digit of small keys is 0.
  EXPECT_EQ(distribution(Primitive::sort, "onesweep"), Distribution::small);
  EXPECT_EQ(distribution(Primitive::sort, "msd"), Distribution::uniform);
  EXPECT_EQ(distribution(Primitive::sort, "msd_segments"), Distribution::uniform);
  // As many numbers as items.
  Question question{.primitive = Primitive::scan};
  lab::type_input(question, {1, 2, 3});
  question.n = 2;
  EXPECT_NE(lab::why_not_input(question), "");
}

}  // namespace
}  // namespace warpview::test
