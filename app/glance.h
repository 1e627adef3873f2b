// What lies under the cursor: asked of the compute thread between frames, once at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "app/compute.h"
#include "app/model.h"

namespace warpview {

class Glance {
 public:
  Glance();

  // Takes the answer into model.glanced, and asks anew where model.pointer or what lies under it
  // has changed. While an answer is awaited nothing is asked: of several places the last one
  // counts.
  void update(Model& model, Compute& compute);

 private:
  // What is shared with the compute thread.
  struct Answer {
    std::mutex mutex;
    std::optional<std::vector<Fact>> facts;
  };
  // What an answer is of.
  struct Question {
    Ray ray{};
    std::uint64_t scene = 0, frames = 0;
  };
  static bool same(const Question& a, const Question& b);

  std::shared_ptr<Answer> answer_;
  std::optional<Question> asked_;
  bool is_under_way_ = false;
};

}  // namespace warpview
