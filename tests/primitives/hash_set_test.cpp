// Every hash set of the catalogue beyond the generic experiment: full sets, keys that all have the
// same home, the set's end, values that are not keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "gpu/primitives/hash_map/hash_map.h"
#include "gpu/primitives/hash_set/hash_set.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using Keys = std::vector<std::uint32_t>;

// One set on one device, used with host values.
class Set {
 public:
  // One answer for each key.
  struct Answers {
    std::vector<bool> found, no_room;
    std::ptrdiff_t inserted() const {
      std::ptrdiff_t count = 0;
      for (std::size_t i = 0; i < found.size(); ++i) count += !found[i] && !no_room[i] ? 1 : 0;
      return count;
    }
  };

  Set(const TestDevice& on, VariantId variant, std::uint32_t slots)
      : device_(*on.device),
        stream_(device_.create_stream()),
        scratch_(device_),
        variant_(variant),
        memory_(device_, slots) {
    set_ = {.slots = slots, .memory = memory_.data()};
    clear(*stream_, set_);
  }

  Answers insert(const Keys& keys) { return ask(SetOperation::insert, keys); }
  std::vector<bool> find(const Keys& keys) { return ask(SetOperation::find, keys).found; }
  std::set<std::uint32_t> contents() {
    const Buffer<std::uint32_t> keys(device_, set_.slots);
    const Buffer<std::uint32_t> count(device_, 1);
    operate({.operation = SetOperation::list,
             .set = set_,
             .listed_keys = keys.data(),
             .listed_count = count.data()});
    std::set<std::uint32_t> contents;
    for (const std::uint32_t key : keys.download(*stream_, count.download(*stream_).front()))
      EXPECT_TRUE(contents.insert(key).second) << "a key occurs twice";
    return contents;
  }

 private:
  Answers ask(SetOperation operation, const Keys& keys) {
    const auto n = static_cast<std::uint32_t>(keys.size());
    Buffer<std::uint32_t> device_keys(device_, n);
    const Buffer<std::uint32_t> found(device_, words_of_bits(n));
    const Buffer<std::uint32_t> no_room(device_, words_of_bits(n));
    device_keys.upload(*stream_, keys);
    for (const Buffer<std::uint32_t>* bits : {&found, &no_room})
      stream_->fill(bits->data(), 0xcd, bits->bytes());
    operate({.operation = operation,
             .set = set_,
             .keys = device_keys.data(),
             .n = n,
             .found = found.data(),
             .no_room = no_room.data()});
    const auto bits_of = [&](const Buffer<std::uint32_t>& words) {
      const std::vector<std::uint32_t> host = words.download(*stream_);
      std::vector<bool> bits(32 * host.size());
      for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = (host[i / 32] >> (i % 32) & 1U) != 0;
      for (std::size_t i = n; i < bits.size(); ++i) EXPECT_FALSE(bits[i]) << "of no key: " << i;
      bits.resize(n);
      return bits;
    };
    Answers answers{.found = bits_of(found), .no_room = {}};
    if (operation == SetOperation::insert) answers.no_room = bits_of(no_room);
    return answers;
  }
  void operate(const HashSetArgs& args) {
    scratch_.run(device_.table().get<Primitive::hash_set>(variant_), *stream_, args);
  }

  Device& device_;
  std::unique_ptr<Stream> stream_;
  ScratchMemory scratch_;
  VariantId variant_;
  Buffer<std::uint32_t> memory_;
  HashSet set_;
};

// The inverse of the sets' hash: there are as many hashes as keys.
std::uint32_t key_of_hash(std::uint32_t hash) {
  constexpr std::uint32_t mask = (std::uint32_t{1} << set_key_bits) - 1;
  hash = (hash ^ hash >> 15U ^ hash >> 30U) * 0x0cf0b109U & mask;
  hash = (hash ^ hash >> 12U ^ hash >> 24U) * 0x64ea2d65U & mask;
  return hash ^ hash >> 15U ^ hash >> 30U;
}
// n keys with consecutive hashes, from `hash` on.
Keys neighbouring_keys(std::uint32_t hash, std::size_t n) {
  Keys keys(n);
  for (std::uint32_t& key : keys) key = key_of_hash(hash++);
  return keys;
}
constexpr std::uint32_t hashes = std::uint32_t{1} << set_key_bits;

Keys numbers_from(std::uint32_t from, std::size_t n) {
  Keys keys(n);
  std::iota(keys.begin(), keys.end(), from);
  return keys;
}
std::set<std::uint32_t> set_of(const Keys& keys) { return {keys.begin(), keys.end()}; }

class HashSets : public testing::TestWithParam<Row> {
 protected:
  // Calls test(make), where make(slots) returns an empty set, for each device.
  template <class Test>
  void on_devices(Test&& test) {
    for (const TestDevice& on : devices_for(1, GetParam())) {
      SCOPED_TRACE(on.name);
      test([&](std::uint32_t slots) { return Set(on, GetParam().index, slots); });
      if (HasFatalFailure()) return;
    }
  }
};

// Inserts the keys in two parts, and checks everything.
void expect_set_holds(Set set, const Keys& keys) {
  const auto half = static_cast<std::ptrdiff_t>(keys.size() / 2);
  ASSERT_EQ(set.insert({keys.begin(), keys.begin() + half}).inserted(), half);
  const Set::Answers answers = set.insert(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(answers.found[i], i < static_cast<std::size_t>(half)) << "key " << i;
    ASSERT_FALSE(answers.no_room[i]) << "key " << i;
  }
  ASSERT_EQ(set.contents(), set_of(keys));
  ASSERT_EQ(set.find(keys), std::vector<bool>(keys.size(), true));
}

TEST(HashSetSlots, DoNotWrap) {
  EXPECT_EQ(hash_set_slots(0x7fffffffU, 0.5), 0xfffffff8U);
  EXPECT_EQ(hash_set_slots(1U << 30U, 0.25), 0xfffffff8U);
  EXPECT_EQ(hash_set_slots(0, 0.5), 8U);
  EXPECT_EQ(hash_table_slots(0x7fffffffU, 0.5), 0xfffffffcU);
}

TEST_P(HashSets, HoldKeysWithTheSameHome) {
  on_devices([&](auto make) {
    for (const std::uint32_t hash : {0U, hashes / 5 * 2, hashes / 4 * 3})
      ASSERT_NO_FATAL_FAILURE(expect_set_holds(make(512), neighbouring_keys(hash, 300)));
  });
}

TEST_P(HashSets, ContinueAtTheSetEnd) {
  on_devices([&](auto make) {
    ASSERT_NO_FATAL_FAILURE(expect_set_holds(make(512), neighbouring_keys(hashes - 300, 300)));
  });
}

TEST_P(HashSets, FillTheLastSlotAndReportRefusedKeys) {
  on_devices([&](auto make) {
    Set set = make(64);
    const Keys keys = numbers_from(7, 100);
    const Set::Answers answers = set.insert(keys);
    const std::set<std::uint32_t> contents = set.contents();
    ASSERT_EQ(contents.size(), 64U);
    ASSERT_EQ(answers.inserted(), 64);
    const std::vector<bool> found = set.find(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(contents.count(keys[i]) == 1, !answers.no_room[i]) << "key " << keys[i];
      ASSERT_FALSE(answers.found[i]) << "key " << keys[i];
      ASSERT_EQ(found[i], !answers.no_room[i]) << "key " << keys[i];
    }
    // The set is full, and queried for present and absent keys.
    const Set::Answers again = set.insert(keys);
    ASSERT_EQ(again.inserted(), 0);
    ASSERT_EQ(again.found, found);
    ASSERT_EQ(set.find(numbers_from(1000, 40)), std::vector<bool>(40, false));
  });
}

TEST_P(HashSets, TakeOneOfEqualKeys) {
  on_devices([&](auto make) {
    Set set = make(64);
    const Set::Answers answers = set.insert(Keys(500, 3));
    ASSERT_EQ(answers.inserted(), 1);
    ASSERT_EQ(std::count(answers.found.begin(), answers.found.end(), true), 499);
    ASSERT_EQ(set.contents(), (std::set<std::uint32_t>{3}));
  });
}

TEST_P(HashSets, RefuseKeysWithMoreBits) {
  on_devices([&](auto make) {
    Set set = make(8);
    const Keys keys = {0, hashes, hashes - 1, ~std::uint32_t{0}, hashes + 5};
    const Set::Answers answers = set.insert(keys);
    ASSERT_EQ(answers.no_room, (std::vector<bool>{false, true, false, true, true}));
    ASSERT_EQ(answers.found, std::vector<bool>(5, false));
    ASSERT_EQ(set.contents(), (std::set<std::uint32_t>{0, hashes - 1}));
    ASSERT_EQ(set.find(keys), (std::vector<bool>{true, false, true, false, false}));
  });
}

INSTANTIATE_TEST_SUITE_P(Catalogue, HashSets, testing::ValuesIn(rows_of(Primitive::hash_set)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
