// Host loops over very many items: references and input of 2^28 items take seconds on all cores
// (oneTBB). Up to `most_on_one_core` items they run on one core, and the results are the same.
#pragma once

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/runtime/cpu/interruption.h"

namespace warpview::reference {

inline constexpr std::size_t most_on_one_core = 1U << 20U;

enum class Cores { as_many_as_pay, one, all };
inline bool takes_all(Cores cores, std::size_t n) {
  return cores == Cores::all || (cores == Cores::as_many_as_pay && n > most_on_one_core);
}

// Calls work(begin, end) for consecutive blocks of `block_items` items that make up [0, n), the
// last one perhaps shorter. In any order, several at a time.
inline constexpr std::size_t block_items = 1U << 16U;
void for_each_block(std::size_t n, const std::function<void(std::size_t, std::size_t)>& work,
                    Cores cores = Cores::as_many_as_pay);

// Calls work(i) for each i of [0, n), in the same way.
template <class Work>
void for_each_item(std::size_t n, const Work& work, Cores cores = Cores::as_many_as_pay) {
  for_each_block(
      n,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) work(i);
      },
      cores);
}

// Calls work(task) for each of [0, tasks), in any order; if `at_once`, several at a time. For a few
// tasks of unequal length.
void for_each_task(std::size_t tasks, const std::function<void(std::size_t)>& work, bool at_once);

// The numbers from 0 to n - 1 in parts: part p has each i with part_of(i) == p, in order.
class Parts {
 public:
  static constexpr std::size_t count = 1024;
  // The part for a hash: its highest bits.
  static std::uint32_t of_hash(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> 54U);
  }

  // part_of() returns less than `count`. n is below 2^32.
  Parts(std::size_t n, const std::function<std::uint32_t(std::uint32_t)>& part_of, Cores cores);

  std::span<const std::uint32_t> part(std::size_t p) const {
    return std::span(numbers_).subspan(begin_[p], begin_[p + 1] - begin_[p]);
  }

 private:
  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> begin_;
};

// Walks down a tree: visit(item, open) checks an item and pushes its children to `open`. It returns
// an error, or an empty string; the walk ends with the first error. If `at_once`, several subtrees
// are walked at a time as soon as there are many; "first" is then by their order.
template <class Item, class Visit>
std::string walk_down(Item root, const Visit& visit, bool at_once) {
  constexpr std::size_t enough = 4096;
  std::deque<Item> roots{root};
  while (at_once && !roots.empty() && roots.size() < enough) {
    const Item item = roots.front();
    roots.pop_front();
    if (std::string wrong = visit(item, roots); !wrong.empty()) return wrong;
  }
  std::vector<std::string> wrong(roots.size());
  const auto walk = [&](std::size_t subtree) {
    std::vector<Item> open{roots[subtree]};
    while (!open.empty() && wrong[subtree].empty()) {
      const Item item = open.back();
      open.pop_back();
      wrong[subtree] = visit(item, open);
    }
  };
  for_each_task(roots.size(), walk, at_once);
  const auto first =
      std::find_if(wrong.begin(), wrong.end(), [](const auto& text) { return !text.empty(); });
  return first == wrong.end() ? "" : *first;
}

// The first non-empty result of check(i), for i of [0, n); an empty string if there is none.
std::string first_complaint(std::size_t n, const std::function<std::string(std::size_t)>& check,
                            Cores cores = Cores::as_many_as_pay);

// `less`, which checks now and then whether the sort that calls it should stop, on any thread, on
// behalf of the thread that made it.
template <class Less>
class InterruptibleOrder {
 public:
  explicit InterruptibleOrder(Less less) : less_(std::move(less)) {}
  template <class T>
  bool operator()(const T& a, const T& b) const {
    constexpr unsigned comparisons = 1U << 16U;
    thread_local unsigned count = 0;
    if (interruptible_ && ++count % comparisons == 0) interruptible_->ask();
    return less_(a, b);
  }

 private:
  Less less_;
  const Interruptible* interruptible_ = Interruptible::here();
};

// Sorts, on all cores where that pays.
template <class Iterator, class Less>
void sort_items(Iterator begin, Iterator end, const Less& less) {
  const InterruptibleOrder<Less> order(less);
  if (takes_all(Cores::as_many_as_pay, static_cast<std::size_t>(end - begin)))
    tbb::parallel_sort(begin, end, order);
  else
    std::sort(begin, end, order);
}

// The numbers from 0 to n - 1 in the order of `less`; numbers that compare equal stay in ascending
// order.
template <class Less>
std::vector<std::uint32_t> stable_order(std::size_t n, const Less& less,
                                        Cores cores = Cores::as_many_as_pay) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  if (takes_all(cores, n)) {
    tbb::parallel_sort(order.begin(), order.end(),
                       InterruptibleOrder([&less](std::uint32_t a, std::uint32_t b) {
                         return less(a, b) || (!less(b, a) && a < b);
                       }));
  } else {
    std::stable_sort(order.begin(), order.end(), InterruptibleOrder(std::cref(less)));
  }
  return order;
}

// gpu/primitives/scan/scan.h. The prefixes of blocks are combined from their totals, so `combine`
// must be associative to the bit, as it is for integers.
template <class T, class Operator>
std::vector<T> scan(std::span<const T> in, bool inclusive, T identity, Operator combine,
                    Cores cores = Cores::as_many_as_pay) {
  std::vector<T> out(in.size());
  const auto scan_from = [&](T sum, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const T upto = combine(sum, in[i]);
      out[i] = inclusive ? upto : sum;
      sum = upto;
    }
    return sum;
  };
  if (!takes_all(cores, in.size())) {
    scan_from(identity, 0, in.size());
    return out;
  }
  std::vector<T> before((in.size() + block_items - 1) / block_items, identity);
  for_each_block(
      in.size(),
      [&](std::size_t begin, std::size_t end) {
        before[begin / block_items] =
            std::accumulate(in.begin() + static_cast<std::ptrdiff_t>(begin),
                            in.begin() + static_cast<std::ptrdiff_t>(end), identity, combine);
      },
      cores);
  T sum = identity;
  for (T& block : before) {
    const T with_block = combine(sum, block);
    block = sum;
    sum = with_block;
  }
  for_each_block(
      in.size(),
      [&](std::size_t begin, std::size_t end) {
        scan_from(before[begin / block_items], begin, end);
      },
      cores);
  return out;
}

}  // namespace warpview::reference
