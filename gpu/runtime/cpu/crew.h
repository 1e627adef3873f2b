// OS threads that share the loops of a piece of host work with the thread that owns it: reading a
// file, filling page-locked memory.
//
// Why not oneTBB: where the system refuses it a thread it throws with its loop half done, and
// ThreadSanitizer, which does not know it, would find nothing in what it runs.
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

// All functions are called by one thread, the owner, which shares the work. Threads are started
// when there is work for them; where the system refuses one, the existing threads do the work.
class Crew {
 public:
  // This many threads, the owner among them; 0: one per core.
  explicit Crew(unsigned threads = 0);
  // Drops tasks that have not begun; waits for the others.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // The most threads that may work at a time.
  unsigned size() const { return size_; }

  // Adds a task for any free thread. A single task waits for the owner: it starts no thread.
  void add(std::function<void()> task);
  // Tasks that have not begun.
  std::size_t waiting() const;
  // Does one of them; false: there is none.
  bool help();
  // Returns when all tasks are done. If tasks threw, throws what the first of them threw, by the
  // order in which they were added, and drops tasks that had not begun by then.
  void finish();

  // work(i) for each i of [0, n), in any order, and finish(). There may be no other tasks. For each
  // k from 1 to n the owner calls between(k) when that many are done; what it throws is thrown when
  // no task is running any more.
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
  std::deque<Task> tasks_;  // not begun yet
  std::uint64_t added_ = 0;
  unsigned idle_ = 0;  // threads that wait for one
  unsigned under_way_ = 0;
  std::uint64_t ended_ = 0;  // tasks
  bool closing_ = false;
  std::exception_ptr failure_;
  std::uint64_t failed_ = 0;  // the task that threw it

  std::vector<std::thread> threads_;  // beside the owner's
};

}  // namespace warpview
