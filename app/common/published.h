// A value that one thread or object makes, and others read.
#pragma once

#include <memory>
#include <utility>

namespace warpview {

// Copies share one immutable value. Giving one copy another value does not affect the others. There
// always is a value: T() at first.
template <class T>
class Published {
 public:
  Published() : value_(std::make_shared<const T>()) {}
  Published(T value) : value_(std::make_shared<const T>(std::move(value))) {}
  explicit Published(std::shared_ptr<const T> value) : value_(std::move(value)) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  // A part of the value; it keeps the whole value alive.
  template <class Part>
  Published<Part> part(const Part& of_value) const {
    return Published<Part>(std::shared_ptr<const Part>(value_, &of_value));
  }
  // Replaces the value by a copy, and returns the copy for modification.
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
