// Where the wall time of something that repeats goes: a frame of the scene, a turn of the window.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

namespace warpview {

// A share of a whole. Those of the device are between two of its events, those of the host by its
// clock.
struct TimePart {
  enum class Place { device, host };
  int order = 0;        // among the parts of a whole; parts of one order are the same part
  std::string title{};  // for people
  std::string about{};  // in a sentence or two
  Place place = Place::host;
  double ms = 0.0;
};

// The last wholes, on average: of averages the parts still add up.
struct TimeParts {
  std::vector<TimePart> parts;     // by order; the last is what nothing else accounts for
  double whole_ms = 0.0;           // 0: there was none yet
  std::vector<float> last_wholes;  // milliseconds, oldest first

  double sum_ms() const;
  double on_device_ms() const;  // the sum of the device's parts
};

// Collects wholes one after the other:
//
//     clock.begin(now);
//     clock.add(...);  // any number of parts
//     clock.end(now);
//
// What lies between begin and end and in no part is a part of its own, "Other".
class PartClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::size_t averaged = 32;  // wholes
  static constexpr std::size_t kept = 120;     // of which the length alone is known
  static constexpr int order_of_other = 1 << 20;

  bool under_way() const { return under_way_; }
  void begin(Time at);
  void add(TimePart part);  // of the running whole
  // The time since begin() or the last lap() is this part's.
  void lap(TimePart part, Time at);
  // The time since then, which is then accounted for: for a caller that adds its parts one by one.
  double lap(Time at);
  void end(Time at);
  void cancel() { under_way_ = false; }  // the whole is of no use
  void forget();                         // all of them

  TimeParts parts() const;

 private:
  struct Whole {
    double ms = 0.0;
    std::vector<TimePart> parts;
  };
  bool under_way_ = false;
  Time begin_{}, last_{};
  std::vector<TimePart> now_;
  std::deque<Whole> wholes_;
  std::deque<float> lengths_;
};

}  // namespace warpview
