// The costs of the element layouts, as the counted device sees them: sectors per request, and bank
// conflicts in each round. The page of layouts has these numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gpu/lab/laboratory.h"
#include "gpu/primitives/layout/layout.h"

namespace warpview::test {
namespace {

class CountedLayout : public testing::Test {
 protected:
  KernelCounters count(const std::string& variant, const std::string& form) {
    laboratory_.ask({.primitive = Primitive::layout,
                     .form = lab::find_form(Primitive::layout, form),
                     .n = 1024});
    const lab::Answer answer = laboratory_.verify(find_variant(Primitive::layout, variant));
    EXPECT_EQ(answer.difference, "") << variant;
    if (answer.counters.size() != 1) throw Error("a layout that is not one kernel");
    return answer.counters.front();
  }
  // The steps between the one that loads the elements and the one that stores them.
  unsigned degree_of_rounds(const std::string& variant, const std::string& form) {
    const KernelCounters counters = count(variant, form);
    EXPECT_EQ(counters.steps.size(), 18U) << variant;
    const unsigned degree = counters.steps.at(1).worst_degree;
    for (std::size_t round = 1; round <= 16; ++round)
      EXPECT_EQ(counters.steps.at(round).worst_degree, degree) << variant << ", round " << round;
    return degree;
  }

 private:
  std::unique_ptr<Device> device_ = open_counted_device();
  lab::Laboratory laboratory_{*device_, 1};
};

TEST_F(CountedLayout, SectorsPerRequestMatchThePage) {
  struct Sectors {
    const char* form;
    double aos;
  };
  for (const Sectors& want : {Sectors{"one_2", 8},
                              {"one_4", 16},
                              {"one_8", 32},
                              {"all_2", 8},
                              {"all_4", 16},
                              {"all_8", 32}}) {
    SCOPED_TRACE(want.form);
    const KernelCounters aos = count("aos", want.form);
    EXPECT_EQ(aos.sectors_each(), want.aos);
    EXPECT_EQ(aos.coalescing(), 4 / want.aos);
    for (const char* variant : {"soa", "aosoa", "transposed"}) {
      const KernelCounters counters = count(variant, want.form);
      EXPECT_EQ(counters.sectors_each(), 4.0) << variant;
      EXPECT_EQ(counters.coalescing(), 1.0) << variant;
    }
    // With vectors as many sectors per request, and fewer requests.
    const KernelCounters vector = count("vector", want.form);
    EXPECT_EQ(vector.sectors_each(), want.aos);
    const bool all = std::string(want.form).starts_with("all");
    const double members = all ? std::min(want.aos / 4, 4.0) : 1;  // in a vector
    EXPECT_EQ(vector.coalescing(), aos.coalescing() * members);
    EXPECT_EQ(static_cast<double>(vector.global_accesses) * members,
              static_cast<double>(aos.global_accesses));
  }
}

TEST_F(CountedLayout, BankConflictsInEachRoundMatchThePage) {
  struct Degrees {
    const char* form;
    unsigned aos, vector;
  };
  for (const Degrees& want : {Degrees{"one_2_often", 2, 2},
                              {"one_4_often", 4, 4},
                              {"one_8_often", 8, 8},
                              {"all_4_often", 4, 1},
                              {"all_8_often", 8, 2}}) {
    SCOPED_TRACE(want.form);
    EXPECT_EQ(degree_of_rounds("shared_aos", want.form), want.aos);
    EXPECT_EQ(degree_of_rounds("shared_vector", want.form), want.vector);
    for (const char* variant : {"shared_soa", "shared_aosoa", "shared_padded"})
      EXPECT_EQ(degree_of_rounds(variant, want.form), 1U) << variant;
  }
}

// Where structures are loaded and stored as arrays, neighbouring words of an element share a bank.
TEST_F(CountedLayout, ArraysHaveConflictsOnLoadAndStore) {
  for (const auto& [variant, degree] : {std::pair{"shared_aos", 1U},
                                        {"shared_soa", 4U},
                                        {"shared_aosoa", 4U},
                                        {"shared_padded", 2U},
                                        {"shared_vector", 1U}}) {
    const KernelCounters counters = count(variant, "one_4_often");
    EXPECT_EQ(counters.steps.front().worst_degree, degree) << variant;
    EXPECT_EQ(counters.steps.back().worst_degree, degree) << variant;
    EXPECT_EQ(counters.sectors_each(), 4.0) << variant;
  }
}

}  // namespace
}  // namespace warpview::test
