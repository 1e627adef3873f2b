// Work that was prepared once and runs many times.
#pragma once

namespace warpview {

class Stream;

class Prepared {
 public:
  virtual ~Prepared() = default;
  // What must precede a run and is no part of it. May wait for the stream.
  virtual void reset() {}
  // Queues the work on the stream that it was prepared for.
  virtual void run() = 0;
  // Waits for the last run and brings its output to where the arguments say, if it is elsewhere.
  virtual void fetch() {}
};

}  // namespace warpview
