// Steps of which each is taken even if others fail.
#pragma once

#include <exception>

namespace warpview {

// Takes a step, and passes what it throws to `failed`.
template <class Failed, class Step>
void attempt(Failed&& failed, Step&& step) {
  try {
    step();
  } catch (const std::exception& error) {
    failed(error);
  }
}

// Takes all steps, even if some fail.
template <class Failed, class... Steps>
void take_steps(Failed&& failed, Steps&&... steps) {
  (attempt(failed, steps), ...);
}

}  // namespace warpview
