#include "gpu/simt/counted/warp_trace.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace warpview::simt {
namespace {

constexpr unsigned sector_bytes = 32;

// --- one instruction of a warp

using Part = LaneAccess;

// Sectors that the parts touch, and the fewest that could hold their bytes.
std::pair<unsigned, unsigned> sectors(std::vector<Part>& parts, unsigned bytes) {
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.address < b.address; });
  unsigned touched = 0;
  Address asked = 0;
  Address next_sector = 0;  // after the last sector touched
  Address end = 0;          // end of the last part
  for (const Part& part : parts) {
    const Address first = std::max(part.address / sector_bytes, next_sector);
    const Address last = (part.address + bytes - 1) / sector_bytes;
    if (last >= first) touched += static_cast<unsigned>(last - first + 1);
    next_sector = std::max(next_sector, last + 1);
    asked += part.address + bytes - std::min(part.address + bytes, std::max(part.address, end));
    end = std::max(end, part.address + bytes);
  }
  return {touched, static_cast<unsigned>((asked + sector_bytes - 1) / sector_bytes)};
}

// The most lanes that access one address.
unsigned most_on_one(std::vector<Part>& parts) {
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.address < b.address; });
  unsigned most = 0;
  unsigned equal = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    equal = i > 0 && parts[i].address == parts[i - 1].address ? equal + 1 : 1;
    most = std::max(most, equal);
  }
  return most;
}

// `parts` by lane; left in any order.
void count_instruction(std::vector<Part>& parts, const Access& like, unsigned banks,
                       KernelCounters& kernel, CountedStep& step) {
  if (like.shared) {
    const auto [transactions, degree] = serve_from_banks(
        parts, like.bytes, like.kind == counting::Kind::atomic, banks, [](const ServedWord&) {});
    ++kernel.shared_accesses;
    ++step.shared_accesses;
    kernel.shared_transactions += transactions;
    step.shared_transactions += transactions;
    kernel.worst_degree = std::max(kernel.worst_degree, degree);
    step.worst_degree = std::max(step.worst_degree, degree);
  } else {
    const auto [touched, least] = sectors(parts, like.bytes);
    ++kernel.global_accesses;
    kernel.global_sectors += touched;
    kernel.global_sectors_least += least;
    step.global_sectors += touched;
  }
  if (like.kind == counting::Kind::atomic) {
    kernel.atomics += parts.size();
    kernel.atomic_rounds += most_on_one(parts);
  }
}

// --- lanes laid side by side

// How often a lane has been at each place.
class Visits {
 public:
  void clear() { counts_.clear(); }
  unsigned next(Address site) { return counts_[site]++; }

 private:
  std::unordered_map<Address, unsigned> counts_;
};

// Lanes that did the same throughout need no search.
bool all_alike(const WarpTrace& warp, const LaneNumbers& lanes) {
  const auto& first = warp.lanes[lanes.front()].accesses;
  for (const unsigned lane : lanes) {
    const auto& other = warp.lanes[lane].accesses;
    if (other.size() != first.size() ||
        !std::equal(first.begin(), first.end(), other.begin(),
                    [](const Access& a, const Access& b) { return a.site == b.site; }))
      return false;
  }
  return true;
}

}  // namespace

void count_accesses(const WarpTrace& warp, const LaneNumbers& lanes, unsigned banks,
                    KernelCounters& kernel, CountedStep& step) {
  std::vector<Part> parts;
  if (all_alike(warp, lanes)) {
    const std::vector<Access>& first = warp.lanes[lanes.front()].accesses;
    for (std::size_t i = 0; i < first.size(); ++i) {
      parts.clear();
      for (const unsigned lane : lanes)
        parts.push_back({lane, warp.lanes[lane].accesses[i].address});
      count_instruction(parts, first[i], banks, kernel, step);
    }
    return;
  }
  struct Item {
    Address site;
    unsigned visit;
    unsigned lane;
    const Access* access;
  };
  std::vector<Item> items;
  Visits visits;
  for (const unsigned lane : lanes) {
    visits.clear();
    for (const Access& access : warp.lanes[lane].accesses)
      items.push_back({access.site, visits.next(access.site), lane, &access});
  }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return std::tie(a.site, a.visit, a.lane) < std::tie(b.site, b.visit, b.lane);
  });
  for (std::size_t i = 0; i < items.size();) {
    const Item& first = items[i];
    parts.clear();
    for (; i < items.size() && items[i].site == first.site && items[i].visit == first.visit; ++i)
      parts.push_back({items[i].lane, items[i].access->address});
    count_instruction(parts, *first.access, banks, kernel, step);
  }
}

std::uint64_t divergent_branches(const WarpTrace& warp, const LaneNumbers& lanes) {
  const LaneTrace& first = warp.lanes[lanes.front()];
  if (std::all_of(lanes.begin(), lanes.end(), [&](unsigned lane) {
        const LaneTrace& other = warp.lanes[lane];
        return other.came_from == first.came_from && other.path == first.path;
      }))
    return 0;
  struct Way {
    Address from;
    unsigned visit;
    Address to;
    bool operator<(const Way& other) const {
      return std::tie(from, visit, to) < std::tie(other.from, other.visit, other.to);
    }
  };
  std::vector<Way> ways;
  Visits visits;
  for (const unsigned lane : lanes) {
    visits.clear();
    Address from = warp.lanes[lane].came_from;
    for (const Address to : warp.lanes[lane].path) {
      ways.push_back({from, visits.next(from), to});
      from = to;
    }
  }
  std::sort(ways.begin(), ways.end());
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < ways.size();) {
    const Way& way = ways[i];
    bool diverged = false;
    for (; i < ways.size() && ways[i].from == way.from && ways[i].visit == way.visit; ++i)
      diverged |= ways[i].to != way.to;
    count += diverged ? 1 : 0;
  }
  return count;
}

}  // namespace warpview::simt
