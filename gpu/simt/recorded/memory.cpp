#include "gpu/simt/recorded/memory.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace warpview::simt::recording {
namespace {

// Contents that a recording keeps at most.
constexpr std::size_t most_bytes = std::size_t{256} << 20U;

// "storage", of a variable of a kernel.
std::string variable_name(const std::string& symbol) {
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &failed), std::free);
  if (failed != 0) return symbol;
  const std::string name = text.get();
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

}  // namespace

void Memory::allocated(Address begin, std::size_t bytes) {
  live_[begin] = static_cast<std::uint32_t>(objects.size());
  objects.push_back({.begin = begin, .bytes = bytes});
}

void Memory::pinned(Address begin) {
  if (const auto found = live_.find(begin); found != live_.end())
    objects[found->second].is_pinned = true;
}

void Memory::released(Address begin) {
  const auto found = live_.find(begin);
  if (found == live_.end()) return;
  Object& object = objects[found->second];
  object.is_released = true;
  if (object.is_touched) {
    const auto* const bytes = bytes_at(begin);
    object.after.assign(bytes, bytes + object.bytes);
  }
  live_.erase(found);
}

void Memory::begin_launch(const char* kernel) {
  thread_local_bytes_ = thread_local_memory();
  const auto base = reinterpret_cast<Address>(thread_local_bytes_.begin);
  variables_.clear();
  for (const SharedVariable& variable : shared_variables_of(kernel)) {
    const std::string symbol(variable.symbol);
    const auto [known, is_new] =
        shared_.try_emplace(symbol, static_cast<std::uint32_t>(objects.size()));
    if (is_new)
      objects.push_back({.begin = variable.offset,
                         .bytes = variable.bytes,
                         .kind = ArrayKind::shared,
                         .name = variable_name(symbol)});
    const Address begin = base + variable.offset;
    variables_.push_back({begin, begin + variable.bytes, known->second});
  }
  std::sort(variables_.begin(), variables_.end(),
            [](const Variable& a, const Variable& b) { return a.begin < b.begin; });
}

std::optional<Spot> Memory::find_device(Address address) const {
  auto after = live_.upper_bound(address);
  if (after == live_.begin()) return {};
  const auto& [begin, number] = *--after;
  if (address - begin >= objects[number].bytes) return {};
  return Spot{number, static_cast<std::uint32_t>(address - begin), true};
}

std::optional<Spot> Memory::find(Address address) {
  if (!thread_local_bytes_.holds(bytes_at(address))) {
    return find_device(address);
  }
  const auto after =
      std::upper_bound(variables_.begin(), variables_.end(), address,
                       [](Address a, const Variable& variable) { return a < variable.begin; });
  if (after != variables_.begin() && address < (after - 1)->end)
    return Spot{(after - 1)->object, static_cast<std::uint32_t>(address - (after - 1)->begin),
                false};
  // What kernels read of the executor.
  if (address == reinterpret_cast<Address>(&current_lane) ||
      address == reinterpret_cast<Address>(&publications_are_late))
    return {};
  throw Error("recording a kernel", "it uses shared memory whose variable has no symbol",
              "Use a module that was not stripped");
}

// Forgets what earlier recordings were about. Allocations stay in their order, which does not
// depend on where they lie.
void Memory::begin_recording(bool limited) {
  limited_ = limited;
  std::vector<Object> left;
  for (const Object& object : objects) {
    const auto found = live_.find(object.begin);
    if (object.kind == ArrayKind::shared || object.is_released || found == live_.end()) continue;
    found->second = static_cast<std::uint32_t>(left.size());
    left.push_back({.begin = object.begin, .bytes = object.bytes, .is_pinned = object.is_pinned});
  }
  objects = std::move(left);
  shared_.clear();
  variables_.clear();
  kept_ = 0;
}

bool Memory::touch(std::uint32_t number) {
  Object& object = objects[number];
  if (object.is_touched) return true;
  object.is_touched = true;
  if (object.kind == ArrayKind::shared) return true;
  if (!keep(object.bytes)) return false;
  const auto* const bytes = bytes_at(object.begin);
  object.before.assign(bytes, bytes + object.bytes);
  if (limited_ || object.is_pinned) object.played = object.before;
  return true;
}

bool Memory::keep(std::size_t bytes) {
  kept_ += bytes;
  return kept_ <= most_bytes;
}

}  // namespace warpview::simt::recording
