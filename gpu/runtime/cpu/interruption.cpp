#include "gpu/runtime/cpu/interruption.h"

#include <utility>

namespace warpview {
namespace {

thread_local const Interruptible* innermost = nullptr;
void (*forwarded_to)() = nullptr;

}  // namespace

Interruptible::Interruptible(std::function<void()> ask)
    : ask_(std::move(ask)), outer_(std::exchange(innermost, this)) {}

Interruptible::~Interruptible() { innermost = outer_; }

void Interruptible::ask() const {
  for (const Interruptible* each = this; each; each = each->outer_) each->ask_();
}

const Interruptible* Interruptible::here() { return innermost; }

void interruption_point() {
  if (forwarded_to)
    forwarded_to();
  else if (innermost)
    innermost->ask();
}

void forward_interruption_points(void (*to)()) { forwarded_to = to; }

}  // namespace warpview
