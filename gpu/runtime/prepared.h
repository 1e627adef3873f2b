// Work that was prepared once and runs many times.
#pragma once

#include <cstdint>

namespace warpview {

class Stream;

class Prepared {
 public:
  virtual ~Prepared() = default;
  // Does what must precede a run and is not part of it. May wait for the stream.
  virtual void reset() {}
  // Queues the work on the stream that it was prepared for.
  virtual void run() = 0;
  // In how many runs the prepared object could not be used and was prepared again.
  virtual int prepared_anew() const { return 0; }
  // Waits for the last run and copies its output to where the arguments say, if it is elsewhere.
  virtual void fetch() {}
  // Fills with `byte` the output that it keeps in internal memory, and the source that it is copied
  // from: a run has to write all of it. May wait for the stream.
  virtual void spoil(std::uint8_t /*byte*/) {}
};

}  // namespace warpview
