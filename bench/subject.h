// What the benchmark times: a row of the catalogue, if its result is right.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gpu/lab/laboratory.h"

namespace warpview::bench {

class Subject {
 public:
  // The device and the stream must outlive it.
  Subject(Device& device, Stream& stream) : device_(device), stream_(stream) {}

  // Runs the row once on the question's input and compares its output with the reference. Only
  // where they are equal calls time(experiment); else says how they differ. The input is kept for
  // the next row of the same question.
  std::string time_if_right(const lab::Question& question, int row,
                            const std::function<void(lab::Experiment&)>& time);
  // Frees the memory of the last question's input.
  void forget() { experiment_.reset(); }

 private:
  Device& device_;
  Stream& stream_;
  lab::Question question_;
  std::unique_ptr<lab::Experiment> experiment_;  // of question_
};

}  // namespace warpview::bench
