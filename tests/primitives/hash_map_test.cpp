// Every hash map of the catalogue beyond the generic experiment: full tables, keys that all have
// the same home, duplicates, the table's end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "gpu/primitives/hash_map/hash_map.h"
#include "gpu/runtime/scratch_memory.h"
#include "gpu/runtime/tile_extent.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using Contents = std::map<std::uint64_t, std::uint32_t>;

// One table on one device, used with host values.
template <class Key>
class Map {
 public:
  Map(const TestDevice& on, VariantId variant, std::uint32_t slots)
      : device_(*on.device),
        stream_(device_.create_stream()),
        scratch_(device_),
        variant_(variant),
        slots_(slots),
        memory_(device_, hash_table_bytes(8 * sizeof(Key), slots)),
        not_fitted_(device_, 1) {
    table_.key_bits = 8 * sizeof(Key);
    table_.slots = slots;
    table_.memory = memory_.data();
    clear(*stream_, table_);
  }

  // How many keys did not fit.
  std::uint32_t insert(const std::vector<Key>& keys, const std::vector<std::uint32_t>& values) {
    change(HashOperation::insert, keys, values);
    return not_fitted_.download(*stream_).front();
  }
  std::uint32_t count(const std::vector<Key>& keys) {
    change(HashOperation::count, keys, {});
    return not_fitted_.download(*stream_).front();
  }
  std::vector<std::uint32_t> find_or_insert(const std::vector<Key>& keys,
                                            const std::vector<std::uint32_t>& values) {
    return change(HashOperation::find_or_insert, keys, values);
  }
  std::vector<std::uint32_t> find(const std::vector<Key>& keys) {
    return change(HashOperation::find, keys, {});
  }
  Contents contents() {
    Buffer<Key> keys(device_, table_.slots);
    Buffer<std::uint32_t> values(device_, table_.slots);
    Buffer<std::uint32_t> count(device_, 1);
    operate({.operation = HashOperation::list,
             .table = &table_,
             .listed_keys = keys.data(),
             .listed_values = values.data(),
             .listed_count = count.data()});
    const std::uint32_t listed = count.download(*stream_).front();
    const auto host_keys = keys.download(*stream_, listed);
    const auto host_values = values.download(*stream_, listed);
    Contents contents;
    for (std::uint32_t i = 0; i < listed; ++i)
      EXPECT_TRUE(contents.emplace(host_keys[i], host_values[i]).second) << "a key occurs twice";
    return contents;
  }
  // The memory of the ordered variants: the key of each slot, and how many locks are still held.
  // See gpu/primitives/hash_map/table.h.
  struct Layout {
    std::vector<Key> keys;
    std::size_t taken_locks;
  };
  Layout layout() {
    const std::vector<std::byte> bytes = memory_.download(*stream_);
    Layout layout{std::vector<Key>(slots_), 0};
    constexpr std::size_t key_in_word = sizeof(Key) == 4 ? 4 : 0;  // of the 64-bit words of slots
    for (std::size_t slot = 0; slot < slots_; ++slot)
      std::memcpy(&layout.keys[slot], &bytes[slot * 8 + key_in_word], sizeof(Key));
    const std::size_t locks = slots_ / slots_a_lock + 1;
    for (std::size_t lock = 1; lock <= locks; ++lock) {
      std::uint32_t word = 0;
      std::memcpy(&word, &bytes[bytes.size() - lock * sizeof(word)], sizeof(word));
      layout.taken_locks += word != ~std::uint32_t{0} ? 1 : 0;
    }
    return layout;
  }
  // A library's own table may grow.
  bool can_be_full() const { return !table_.host; }

 private:
  std::vector<std::uint32_t> change(HashOperation operation, const std::vector<Key>& keys,
                                    const std::vector<std::uint32_t>& values) {
    Buffer<Key> device_keys(device_, keys.size());
    Buffer<std::uint32_t> device_values(device_, values.size());
    Buffer<std::uint32_t> results(device_, keys.size());
    device_keys.upload(*stream_, keys);
    device_values.upload(*stream_, values);
    operate({.operation = operation,
             .table = &table_,
             .keys = device_keys.data(),
             .values = device_values.data(),
             .results = results.data(),
             .n = static_cast<std::uint32_t>(keys.size()),
             .not_fitted = not_fitted_.data()});
    return results.download(*stream_);
  }
  void operate(const HashMapArgs& args) {
    scratch_.run(device_.table().get<Primitive::hash_map>(variant_), *stream_, args);
  }

  Device& device_;
  std::unique_ptr<Stream> stream_;
  ScratchMemory scratch_;
  VariantId variant_;
  std::uint32_t slots_;
  Buffer<std::byte> memory_;
  Buffer<std::uint32_t> not_fitted_;
  HashTable table_;
};

// The inverses of the tables' hash (gpu/primitives/hash_map/table.h), which construct keys by hash.
std::uint32_t unmix(std::uint32_t hash) {
  hash = (hash ^ hash >> 16U) * 0x7ed1b41dU;
  hash = (hash ^ hash >> 13U ^ hash >> 26U) * 0xa5cb9243U;
  return hash ^ hash >> 16U;
}
std::uint64_t unmix(std::uint64_t hash) {
  hash = (hash ^ hash >> 33U) * 0x9cb4b2f8129337dbULL;
  hash = (hash ^ hash >> 33U) * 0x4f74430c22a54005ULL;
  return hash ^ hash >> 33U;
}

// The hash itself.
std::uint32_t mix(std::uint32_t key) {
  key = (key ^ key >> 16U) * 0x85ebca6bU;
  key = (key ^ key >> 13U) * 0xc2b2ae35U;
  return key ^ key >> 16U;
}
std::uint64_t mix(std::uint64_t key) {
  key = (key ^ key >> 33U) * 0xff51afd7ed558ccdULL;
  key = (key ^ key >> 33U) * 0xc4ceb9fe1a85ec53ULL;
  return key ^ key >> 33U;
}
template <class Key>
std::size_t home_of(Key key, std::size_t slots) {
  return static_cast<std::size_t>(
      static_cast<std::uint64_t>(mix(key) >> (8 * sizeof(Key) - 32)) * slots >> 32U);
}

// Keys with consecutive hashes, from `part` of the hashes' range on (0 to 1).
template <class Key>
std::vector<Key> neighbours(double part, std::size_t n) {
  const auto begin = static_cast<Key>(part * (sizeof(Key) == 4 ? 0x1p32 : 0x1p64));
  std::vector<Key> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = unmix(static_cast<Key>(begin + i));
  std::shuffle(keys.begin(), keys.end(), std::mt19937_64(n));
  return keys;
}
// The last keys by hash: all have the table's last slot as home.
template <class Key>
std::vector<Key> last_neighbours(std::size_t n) {
  std::vector<Key> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = unmix(static_cast<Key>(Key{0} - 1 - i));
  // These few do not include the reserved key.
  EXPECT_EQ(std::count(keys.begin(), keys.end(), static_cast<Key>(~Key{0})), 0);
  return keys;
}

template <class Key>
std::vector<Key> scattered(std::size_t n) {
  std::vector<Key> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<Key>((i + 1) * 0x9e3779b97f4a7c15ULL);
  return keys;
}

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::vector<std::uint32_t> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = static_cast<std::uint32_t>(1000 + i);
  return result;
}

template <class Key>
Contents of(const std::vector<Key>& keys, const std::vector<std::uint32_t>& values) {
  Contents contents;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto [at, is_new] = contents.emplace(keys[i], values[i]);
    if (!is_new) at->second = std::min(at->second, values[i]);
  }
  return contents;
}

class HashMap : public testing::TestWithParam<Row> {
 protected:
  // Calls test(device, key of the width to test) for each device and both widths.
  template <class Test>
  void on_devices(Test&& test) {
    for (const TestDevice& on : devices_for(1, GetParam())) {
      SCOPED_TRACE(on.name + ", 32-bit keys");
      test(on, std::uint32_t{});
      if (HasFatalFailure()) return;
      SCOPED_TRACE("64-bit keys instead");
      test(on, std::uint64_t{});
      if (HasFatalFailure()) return;
    }
  }
  template <class Key>
  Map<Key> make_map(const TestDevice& on, std::uint32_t slots) const {
    return Map<Key>(on, GetParam().index, slots);
  }
};

// Inserts the keys, in two parts, and checks everything.
template <class Key>
void expect_holds(Map<Key> map, const std::vector<Key>& keys) {
  const auto values = numbers(keys.size());
  const std::size_t half = keys.size() / 2;
  ASSERT_EQ(map.insert({keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(half)},
                       {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half)}),
            0);
  ASSERT_EQ(map.insert(keys, values), 0) << "half of them again, with the same values";
  ASSERT_EQ(map.contents(), of(keys, values));
  ASSERT_EQ(map.find(keys), values);
}

TEST_P(HashMap, HoldsKeysWithTheSameHome) {
  on_devices([&](const TestDevice& on, auto width) {
    using Key = decltype(width);
    for (const double part : {0.0, 0.4, 0.75})
      ASSERT_NO_FATAL_FAILURE(expect_holds(make_map<Key>(on, 512), neighbours<Key>(part, 300)));
  });
}

TEST_P(HashMap, ContinuesAtTheTableEnd) {
  on_devices([&](const TestDevice& on, auto width) {
    using Key = decltype(width);
    ASSERT_NO_FATAL_FAILURE(expect_holds(make_map<Key>(on, 512), last_neighbours<Key>(300)));
    std::vector<Key> both_ends = last_neighbours<Key>(200);
    const std::vector<Key> first = neighbours<Key>(0.0, 250);
    both_ends.insert(both_ends.end(), first.begin(), first.end());
    std::shuffle(both_ends.begin(), both_ends.end(), std::mt19937_64(1));
    ASSERT_NO_FATAL_FAILURE(expect_holds(make_map<Key>(on, 512), both_ends));
  });
}

TEST_P(HashMap, FillsToTheLastSlot) {
  on_devices([&](const TestDevice& on, auto width) {
    using Key = decltype(width);
    ASSERT_NO_FATAL_FAILURE(expect_holds(make_map<Key>(on, 4), scattered<Key>(4)));
    ASSERT_NO_FATAL_FAILURE(expect_holds(make_map<Key>(on, 1000), scattered<Key>(950)));
    ASSERT_NO_FATAL_FAILURE(expect_holds(make_map<Key>(on, 1000), scattered<Key>(1000)));
    ASSERT_NO_FATAL_FAILURE(expect_holds(make_map<Key>(on, 300), neighbours<Key>(0.6, 300)));
    ASSERT_NO_FATAL_FAILURE(expect_holds(make_map<Key>(on, 300), last_neighbours<Key>(300)));
  });
}

// Keys that fit are present with their values, and the count says how many did not fit: one, and
// many.
TEST_P(HashMap, CountsKeysThatDidNotFit) {
  on_devices([&](const TestDevice& on, auto width) {
    using Key = decltype(width);
    for (const std::size_t n : {129, 500}) {
      for (const bool same_home : {false, true}) {
        Map<Key> map = make_map<Key>(on, 128);
        const auto keys = same_home ? neighbours<Key>(0.3, n) : scattered<Key>(n);
        const auto values = numbers(n);
        const std::uint32_t failed = map.insert(keys, values);
        if (!map.can_be_full()) {
          ASSERT_EQ(failed, 0);
          continue;
        }
        ASSERT_EQ(failed, n - 128);
        const Contents want = of(keys, values);
        const Contents got = map.contents();
        ASSERT_EQ(got.size(), 128);
        for (const auto& [key, value] : got) {
          const auto entry = want.find(key);
          ASSERT_NE(entry, want.end());
          ASSERT_EQ(value, entry->second);
        }
        // Existing keys can still be found and changed; all others are reported as missing.
        const auto found = map.find(keys);
        ASSERT_EQ(std::count(found.begin(), found.end(), no_value), failed);
        ASSERT_EQ(map.insert(keys, std::vector<std::uint32_t>(n, 7)), failed);
        for (const auto& [key, value] : map.contents()) ASSERT_EQ(value, 7);
        const auto again = map.find_or_insert(keys, values);
        for (std::size_t i = 0; i < n; ++i)
          ASSERT_EQ(again[i], found[i] == no_value ? no_value : 7);
        ASSERT_EQ(map.count(keys), failed);
      }
    }
  });
}

TEST_P(HashMap, KeepsTheSmallestValueOfAKey) {
  on_devices([&](const TestDevice& on, auto width) {
    using Key = decltype(width);
    for (const unsigned distinct : {1U, 3U, 100U}) {
      std::vector<Key> keys(1000);
      std::vector<std::uint32_t> values(keys.size());
      std::mt19937 random(distinct);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] = static_cast<Key>(random() % distinct * 7);
        values[i] = random() % 5000;
      }
      Map<Key> map = make_map<Key>(on, 128);
      ASSERT_EQ(map.insert(keys, values), 0);
      ASSERT_EQ(map.contents(), of(keys, values));
    }
  });
}

TEST_P(HashMap, CountsRepeatedly) {
  on_devices([&](const TestDevice& on, auto width) {
    using Key = decltype(width);
    Map<Key> map = make_map<Key>(on, 64);
    Contents want;
    std::mt19937 random(1);
    for (const std::size_t n : {1, 777, 64}) {
      std::vector<Key> keys(n);
      for (Key& key : keys) ++want[key = unmix(static_cast<Key>(random() % 60))];
      ASSERT_EQ(map.count(keys), 0);
      ASSERT_EQ(map.contents(), want);
    }
  });
}

// The first thread wins: all threads that insert the same key get the same value, one of theirs,
// and later launches get it too.
TEST_P(HashMap, GivesAllThreadsTheFirstValue) {
  on_devices([&](const TestDevice& on, auto width) {
    using Key = decltype(width);
    Map<Key> map = make_map<Key>(on, 64);
    std::vector<Key> keys(2000);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = unmix(static_cast<Key>(i * i % 61));
    const auto values = numbers(keys.size());
    const auto first = map.find_or_insert(keys, values);
    std::map<Key, std::uint32_t> told;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_GE(first[i], 1000);
      ASSERT_LT(first[i], 3000);
      ASSERT_EQ(keys[first[i] - 1000], keys[i]);
      ASSERT_EQ(told.emplace(keys[i], first[i]).first->second, first[i]);
    }
    ASSERT_EQ(map.find_or_insert(keys, std::vector<std::uint32_t>(keys.size(), 5)), first);
    ASSERT_EQ(map.find(keys), first);
  });
}

TEST_P(HashMap, FindsNothingInAnEmptyTable) {
  on_devices([&](const TestDevice& on, auto width) {
    using Key = decltype(width);
    Map<Key> map = make_map<Key>(on, 64);
    ASSERT_EQ(map.find({0, 1, unmix(Key{0}), static_cast<Key>(~Key{0})}),
              std::vector<std::uint32_t>(4, no_value));
    ASSERT_EQ(map.insert({}, {}), 0);
    ASSERT_TRUE(map.contents().empty());
  });
}

TEST_P(HashMap, RefusesOnlyTheReservedKey) {
  on_devices([&](const TestDevice& on, auto width) {
    using Key = decltype(width);
    const auto reserved = static_cast<Key>(~Key{0});
    Map<Key> map = make_map<Key>(on, 64);
    ASSERT_EQ(map.insert({1, reserved, 2, reserved}, {10, 11, 12, 13}), 2);
    ASSERT_EQ(map.contents(), (Contents{{1, 10}, {2, 12}}));
    ASSERT_EQ(map.find({1, reserved, 2}), (std::vector<std::uint32_t>{10, no_value, 12}));
    ASSERT_EQ(map.find_or_insert({3, reserved}, {30, 31}),
              (std::vector<std::uint32_t>{30, no_value}));
    ASSERT_EQ(map.count({reserved, 3}), 1);
    ASSERT_EQ(map.contents(), (Contents{{1, 10}, {2, 12}, {3, 31}}));
  });
}

// --- the tables that are ordered by hash

class OrderedHashMap : public HashMap {};

// Entries ascend, occupied slots connect each with its home, and all locks are free.
template <class Key>
void expect_in_order(Map<Key>& map) {
  const auto layout = map.layout();
  EXPECT_EQ(layout.taken_locks, 0);
  const std::size_t slots = layout.keys.size();
  constexpr auto empty = static_cast<Key>(~Key{0});
  std::vector<std::size_t> taken_before(slots + 1);  // occupied slots
  for (std::size_t slot = 0; slot < slots; ++slot)
    taken_before[slot + 1] = taken_before[slot] + (layout.keys[slot] != empty ? 1 : 0);
  const Key* before = nullptr;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const Key& key = layout.keys[slot];
    if (key == empty) continue;
    if (before) {
      ASSERT_LT(mix(*before), mix(key)) << "slot " << slot << " of " << slots;
    }
    before = &key;
    const std::size_t home = home_of(key, slots);
    const std::size_t from = std::min(slot, home);
    const std::size_t to = std::max(slot, home);
    ASSERT_EQ(taken_before[to + 1] - taken_before[from], to + 1 - from)
        << "a gap between slot " << slot << " of " << slots << " and its home";
  }
}

// n keys: keys of few homes (at both ends, and so close together that their runs merge) and others.
template <class Key>
std::vector<Key> crowds(std::size_t n) {
  std::vector<Key> keys;
  const auto add = [&keys](const std::vector<Key>& some) {
    keys.insert(keys.end(), some.begin(), some.end());
  };
  add(neighbours<Key>(0.0, n / 8));
  add(neighbours<Key>(0.4, n / 3));
  add(neighbours<Key>(0.55, n / 8));
  add(last_neighbours<Key>(n / 6));
  add(scattered<Key>(n - keys.size()));
  std::shuffle(keys.begin(), keys.end(), std::mt19937_64(n));
  return keys;
}

// Slot by slot to the last one, few keys at a time: from tables smaller than a warp to tables of
// several windows of slots. Intermediate states are checked, too.
TEST_P(OrderedHashMap, StaysInOrderWhileItFills) {
  for (const TestDevice& on : having(few_devices(), GetParam())) {
    SCOPED_TRACE(on.name);
    const auto fill = [&](auto width, std::uint32_t slots, const auto& keys) {
      using Key = decltype(width);
      SCOPED_TRACE(std::to_string(slots) + " slots");
      Map<Key> map = make_map<Key>(on, slots);
      const std::size_t at_once = slots / 20 + 1;
      for (std::size_t i = 0; i < keys.size(); i += at_once) {
        const std::vector<Key> some(
            keys.begin() + static_cast<std::ptrdiff_t>(i),
            keys.begin() + static_cast<std::ptrdiff_t>(std::min(keys.size(), i + at_once)));
        ASSERT_EQ(map.insert(some, numbers(some.size())), 0);
        ASSERT_NO_FATAL_FAILURE(expect_in_order(map));
        ASSERT_EQ(map.find(some), numbers(some.size()));
      }
      ASSERT_EQ(map.contents().size(), slots);
    };
    const auto fill_with_each = [&](auto width) {
      using Key = decltype(width);
      for (const std::uint32_t slots : {4U, 36U, 100U, 260U}) {
        ASSERT_NO_FATAL_FAILURE(fill(width, slots, crowds<Key>(slots)));
        ASSERT_NO_FATAL_FAILURE(fill(width, slots, neighbours<Key>(0.5, slots)));
        ASSERT_NO_FATAL_FAILURE(fill(width, slots, last_neighbours<Key>(slots)));
        ASSERT_NO_FATAL_FAILURE(fill(width, slots, scattered<Key>(slots)));
      }
    };
    ASSERT_NO_FATAL_FAILURE(fill_with_each(std::uint32_t{}));
    ASSERT_NO_FATAL_FAILURE(fill_with_each(std::uint64_t{}));
  }
}

// Concurrently, in lockstep, and with late acquisition and release of locks.
template <class Test>
void in_every_crowd(const Row& row, Test&& test) {
  for (const auto& devices :
       {devices_for(1), devices_in_lockstep(), devices_with_late_publications()})
    for (const TestDevice& on : having(devices, row)) {
      SCOPED_TRACE(on.name);
      ASSERT_NO_FATAL_FAILURE(test(on, std::uint32_t{}));
      ASSERT_NO_FATAL_FAILURE(test(on, std::uint64_t{}));
    }
}

// Thousands of keys that need the same few locks, most of them twice, in ranges of many locks.
TEST_P(OrderedHashMap, StaysInOrderUnderContention) {
  constexpr std::uint32_t slots = tile_extent(1800U, 900U);
  in_every_crowd(GetParam(), [&](const TestDevice& on, auto width) {
    using Key = decltype(width);
    std::vector<Key> keys = crowds<Key>(slots - 20);
    const std::vector<Key> again(keys.begin(), keys.begin() + slots / 2);
    keys.insert(keys.end(), again.begin(), again.end());
    const auto values = numbers(keys.size());
    Map<Key> map = make_map<Key>(on, slots);
    ASSERT_EQ(map.insert(keys, values), 0);
    ASSERT_NO_FATAL_FAILURE(expect_in_order(map));
    ASSERT_EQ(map.contents(), of(keys, values));
    // The remaining slots have room for some of the rest.
    ASSERT_EQ(map.insert(neighbours<Key>(0.8, 300), numbers(300)), 280);
    ASSERT_NO_FATAL_FAILURE(expect_in_order(map));
    ASSERT_EQ(map.contents().size(), slots);
  });
}

// Many keys with homes just before or after the boundaries between locks, until the table is full:
// another key takes a gap meanwhile, and the next gap needs other locks. Each warp inserts a few
// keys, so that all run at the same time; the rest are the reserved key, which is refused.
TEST_P(OrderedHashMap, StaysInOrderAtLockBoundaries) {
  constexpr std::uint32_t slots = 5 * slots_a_lock;
  in_every_crowd(GetParam(), [&](const TestDevice& on, auto width) {
    using Key = decltype(width);
    for (unsigned round = 0; round < tile_extent(16U, 4U); ++round) {
      std::vector<Key> keys;
      for (std::uint32_t lock = 1; lock < slots / slots_a_lock; ++lock) {
        const double home = lock * slots_a_lock + (lock % 2 == 0 ? 1.5 : -1.5);
        for (const Key key : neighbours<Key>(home / slots, slots / 4)) keys.push_back(key);
      }
      const std::vector<Key> all = keys;
      keys.resize(1500, static_cast<Key>(~Key{0}));
      std::shuffle(keys.begin(), keys.end(), std::mt19937_64(round));
      Map<Key> map = make_map<Key>(on, slots);
      ASSERT_EQ(map.insert(keys, numbers(keys.size())), keys.size() - all.size());
      ASSERT_NO_FATAL_FAILURE(expect_in_order(map));
      const std::vector<std::uint32_t> found = map.find(all);
      ASSERT_EQ(std::count(found.begin(), found.end(), no_value), 0);
    }
  });
}

std::vector<Row> ordered_rows() {
  std::vector<Row> rows = rows_of(Primitive::hash_map);
  std::erase_if(rows, [](const Row& row) {
    return std::string(row.index->name).find("bidirectional") == std::string::npos;
  });
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, OrderedHashMap, testing::ValuesIn(ordered_rows()),
                         [](const auto& row) { return name_of(row.param); });

INSTANTIATE_TEST_SUITE_P(Catalogue, HashMap, testing::ValuesIn(rows_of(Primitive::hash_map)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
