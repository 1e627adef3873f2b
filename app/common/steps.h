// Steps that are taken one after the other, though one of them fails.
#pragma once

#include <exception>

namespace warpview {

// Takes a step. Gives what it throws to `failed`.
template <class Failed, class Step>
void attempt(Failed&& failed, Step&& step) {
  try {
    step();
  } catch (const std::exception& error) {
    failed(error);
  }
}

// Takes all of them, whichever fail.
template <class Failed, class... Steps>
void take_steps(Failed&& failed, Steps&&... steps) {
  (attempt(failed, steps), ...);
}

}  // namespace warpview
