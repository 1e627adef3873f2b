#include "app/common/lab_csv.h"

#include <gtest/gtest.h>

namespace warpview {
namespace {

TEST(LabCsv, OneLineAnAnswer) {
  lab::Answer answer;
  answer.question = {.primitive = Primitive::sort,
                     .form = 0,
                     .distribution = lab::Distribution::few,
                     .n = 1000,
                     .seed = 7};
  answer.variant = find_variant(Primitive::sort, "onesweep");
  answer.verified = true;
  answer.ms = 0.5;
  answer.quartile_1_ms = 0.4;
  answer.quartile_3_ms = 0.75;
  answer.runs = 50;
  answer.bytes = 1e9;
  answer.bytes_moved = 2e9;
  answer.copy_gb_per_s = 4000.0;
  answer.library.ms = 0.25;
  const std::string form = lab::experiment(Primitive::sort).forms[0].name;
  EXPECT_EQ(lab_csv({&answer, 1}),
            "primitive,form,distribution,items,seed,variant,available,verified,ms,quartile_1_ms,"
            "quartile_3_ms,runs,bytes_needed,bytes_moved,gb_per_s,copy_gb_per_s,"
            "copy_share,of_library,difference\n"
            "sort," +
                form +
                ",few,1000,7,onesweep,yes,yes,0.5,0.4,0.75,50,1e+09,2e+09,2000,4000,0.5,0.5,\n");
}

TEST(LabCsv, WhatWasNotMeasuredIsEmpty) {
  lab::Answer answer;
  answer.question = {.primitive = Primitive::scan, .n = 64};
  answer.variant = find_variant(Primitive::scan, "library");
  answer.why_not = "exists only on cuda, compute capability 8.0 or newer";
  const std::string form = lab::experiment(Primitive::scan).forms[0].name;
  EXPECT_EQ(lab_csv_line(answer), "scan," + form +
                                      ",uniform,64,1,library,no,no,,,,,,,,,,,"
                                      "\"exists only on cuda, compute capability 8.0 or newer\"\n");
  answer.why_not.clear();
  answer.difference = "said \"no\"\nand ended";
  EXPECT_NE(lab_csv_line(answer).find(",yes,no,,,,,,,,,,,\"said \"\"no\"\"\nand ended\"\n"),
            std::string::npos);
}

}  // namespace
}  // namespace warpview
