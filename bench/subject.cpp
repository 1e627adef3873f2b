#include "bench/subject.h"

namespace warpview::bench {

std::string Subject::time_if_right(const lab::Question& question, int row,
                                   const std::function<void(lab::Experiment&)>& time) {
  if (!experiment_ || question != question_) {
    experiment_.reset();  // free its memory first
    experiment_ = lab::experiment(question.primitive)
                      .make({.device = device_,
                             .stream = stream_,
                             .n = question.n,
                             .form = question.form,
                             .distribution = question.distribution,
                             .seed = question.seed});
    question_ = question;
  }
  std::string difference = experiment_->run_verified(row);
  if (difference.empty()) time(*experiment_);
  return difference;
}

}  // namespace warpview::bench
