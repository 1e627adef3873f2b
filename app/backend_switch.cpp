#include "app/backend_switch.h"

#include <chrono>
#include <utility>

namespace warpview {

void BackendSwitch::start(Backend backend, std::function<std::unique_ptr<Device>(Backend)> opener,
                          std::function<void()> news) {
  // Reports the end, with a device or without.
  struct Teller {
    const std::function<void()>& news;
    ~Teller() {
      if (news) news();
    }
  };
  opening_ =
      std::async(std::launch::async, [backend, opener = std::move(opener), news = std::move(news)] {
        const Teller at_the_end{news};
        return opener(backend);
      });
  wanted_ = backend;
}

bool BackendSwitch::is_ready() const {
  using namespace std::chrono_literals;
  return opening_.valid() && opening_.wait_for(0s) == std::future_status::ready;
}

void BackendSwitch::take_device(
    const std::function<std::unique_ptr<Compute>(Device&)>& make_compute) {
  moved_ = false;
  side_.device = opening_.get();
  side_.compute = make_compute(*side_.device);
}

BackendSwitch::Side BackendSwitch::exchange(Side left) {
  return std::exchange(side_, std::move(left));
}

BackendSwitch::Side BackendSwitch::give_up() {
  wanted_.reset();
  return std::exchange(side_, {});
}

}  // namespace warpview
