// The breakdown of the wall time of something that repeats: a frame of the scene, an iteration of
// the window's loop.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

namespace warpview {

// A part of a whole. The device's parts are measured between two of its events, the host's by its
// clock.
struct TimePart {
  enum class Place { device, host };
  int order = 0;        // within the whole; parts of one order are summed up as one part
  std::string title{};  // for people
  std::string about{};  // in a sentence or two
  Place place = Place::host;
  double ms = 0.0;
};

// Averages over the last wholes, so that the parts still add up to the whole.
struct TimeParts {
  std::vector<TimePart> parts;     // by order; the last one is the unaccounted rest
  double whole_ms = 0.0;           // 0: there is none yet
  std::vector<float> last_wholes;  // milliseconds, oldest first

  double sum_ms() const;
  double on_device_ms() const;  // the sum of the device's parts
};

// Measures one whole after the other:
//
//     clock.begin(now);
//     clock.add(...);  // any number of parts
//     clock.end(now);
//
// Time between begin and end that belongs to no part becomes the part "Other".
class PartClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::size_t averaged = 32;  // wholes
  static constexpr std::size_t kept = 120;     // wholes whose length is kept
  static constexpr int order_of_other = 1 << 20;

  bool under_way() const { return under_way_; }
  void begin(Time at);
  void add(TimePart part);  // of the running whole
  // Ends a part that began with begin() or the last lap().
  void lap(TimePart part, Time at);
  // Returns that time and begins the next lap: for a caller that adds parts by itself.
  double lap(Time at);
  void end(Time at);
  void cancel() { under_way_ = false; }  // discards the running whole
  void forget();                         // all wholes

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
