// What lies under the cursor: asked of the compute thread between frames, once at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/compute.h"
#include "app/events.h"
#include "app/model.h"

namespace warpview {

class Glance {
 public:
  explicit Glance(std::shared_ptr<SessionEvents> events) : events_(std::move(events)) {}

  // Takes an answer into model.glanced.
  void take(event::Glanced answer, Model& model);
  // Asks again where model.pointer or what lies under it has changed. While an answer is awaited
  // nothing is asked: of several places the last one counts.
  void update(Model& model, Compute& compute);

 private:
  // What an answer is of.
  struct Question {
    Ray ray{};
    std::uint64_t scene = 0, frames = 0;
  };
  static bool same(const Question& a, const Question& b);

  std::shared_ptr<SessionEvents> events_;
  std::optional<Question> asked_;
  bool is_under_way_ = false;
};

}  // namespace warpview
