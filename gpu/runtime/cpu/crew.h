// OS threads that share the loops of a piece of work on the host with the thread that has it to do:
// reading a file, filling page-locked memory.
//
// Why not oneTBB: where the system refuses it a thread it throws with its loop half done, and
// ThreadSanitizer, to which it is not known, would find nothing in what it runs.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace warpview {

// Its functions are for one thread, the owner's, which works along. Threads are started when there
// is work for them; where the system refuses one, those that are there do it.
class Crew {
 public:
  // So many threads, the owner's among them; 0: one per core.
  explicit Crew(unsigned threads = 0);
  // Tasks that nobody has begun are dropped; waits for the others.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // How many may be at work.
  unsigned size() const { return size_; }

  // To be done by whoever is free. One alone waits for the owner: it starts no thread.
  void add(std::function<void()> task);
  // Those that nobody has begun.
  std::size_t waiting() const;
  // Does one of them; false: there is none.
  bool help();
  // Returns when all are done. Where tasks threw it throws what the first of them threw, by the
  // order in which they were added; those that nobody had begun by then are dropped.
  void finish();

  // work(i) for each i of [0, n), in any order, and finish(). No other tasks may be there. For each
  // k from 1 to n the owner calls between(k) when as many are done; what that throws is thrown when
  // no other is under way.
  void for_each(std::size_t n, const std::function<void(std::size_t)>& work,
                const std::function<void(std::size_t)>& between = {});

 private:
  struct Task {
    std::uint64_t number = 0;
    std::function<void()> work;
  };

  void serve();
  void start_thread();
  void run(Task task) noexcept;
  void drop();

  const unsigned size_;
  bool refused_ = false;  // the system, a thread

  mutable std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::deque<Task> tasks_;  // that nobody has begun
  std::uint64_t added_ = 0;
  unsigned idle_ = 0;  // threads that wait for one
  unsigned under_way_ = 0;
  std::uint64_t ended_ = 0;  // tasks
  bool closing_ = false;
  std::exception_ptr failure_;
  std::uint64_t failed_ = 0;  // the task that it is of

  std::vector<std::thread> threads_;  // beside the owner's
};

}  // namespace warpview
