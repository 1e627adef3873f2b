// A queue of messages from several threads to one, which polls it.
#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace warpview {

// Thread-safe. Letters are taken in the order in which they were posted.
template <class Letter>
class Mailbox {
 public:
  // `news` is called after each letter, on the thread that posted it.
  explicit Mailbox(std::function<void()> news = {}) : news_(std::move(news)) {}

  void post(Letter letter) {
    {
      const std::lock_guard lock(mutex_);
      letters_.push_back(std::move(letter));
    }
    if (news_) news_();
  }
  // Takes all letters posted since the last call.
  std::vector<Letter> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(letters_, {});
  }

 private:
  const std::function<void()> news_;
  std::mutex mutex_;
  std::vector<Letter> letters_;
};

}  // namespace warpview
