// Work that was prepared once and runs many times.
#pragma once

#include <cstdint>

namespace warpview {

class Stream;

class Prepared {
 public:
  virtual ~Prepared() = default;
  // What must precede a run and is no part of it. May wait for the stream.
  virtual void reset() {}
  // Queues the work on the stream that it was prepared for.
  virtual void run() = 0;
  // In how many runs what had been prepared could not be used and was prepared anew.
  virtual int prepared_anew() const { return 0; }
  // Waits for the last run and brings its output to where the arguments say, if it is elsewhere.
  virtual void fetch() {}
  // Fills with `byte` the output that it keeps in memory of its own, and what that is copied from:
  // a run has to write all of it. May wait for the stream.
  virtual void spoil(std::uint8_t /*byte*/) {}
};

}  // namespace warpview
