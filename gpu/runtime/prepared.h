// Work that was prepared once and runs many times.
#pragma once

namespace warpview {

class Stream;

class Prepared {
 public:
  virtual ~Prepared() = default;
  // Queues the work on the stream that it was prepared for.
  virtual void run() = 0;
};

}  // namespace warpview
