// A value that one place makes and others read.
#pragma once

#include <memory>
#include <utility>

namespace warpview {

// Copies share the value, which never changes: who publishes another one leaves theirs as it is.
// There always is a value, at first T's own.
template <class T>
class Published {
 public:
  Published() : value_(std::make_shared<const T>()) {}
  Published(T value) : value_(std::make_shared<const T>(std::move(value))) {}
  explicit Published(std::shared_ptr<const T> value) : value_(std::move(value)) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  // A part of the value, which keeps the whole.
  template <class Part>
  Published<Part> part(const Part& of_value) const {
    return Published<Part>(std::shared_ptr<const Part>(value_, &of_value));
  }
  // A copy of the value in its place, to be changed.
  T& change() {
    auto copy = std::make_shared<T>(*value_);
    T& changed = *copy;
    value_ = std::move(copy);
    return changed;
  }

 private:
  std::shared_ptr<const T> value_;
};

}  // namespace warpview
