// A BVH by the surface area heuristic, from the root down: of all cuts of a node along all axes the
// cheapest. It is host code of the cpu device, and a yardstick for the trees of the other builders.
//
//   J. D. MacDonald, K. S. Booth, Heuristics for Ray Tracing Using Space Subdivision, 1990.
//   I. Wald, On Fast Construction of SAH-based Bounding Volume Hierarchies, 2007 (the sweep).
//
// Leaves stay in Morton order, as with all builders; the codes decide nothing else. Three
// lists hold the leaves in the order of their centres along x, y and z. A node is the same range of
// all three. Two sweeps over each range tell what its cuts cost:
//
//   from the right   the area of the box around all leaves from each place on
//   from the left    the area of those before it, and so the cost of the cut there:
//                    area of the left side * its leaves + area of the right side * its leaves
//
// The cheapest cut wins, and of equal ones the one nearest to the middle. The other two lists are
// partitioned stably, so nothing is sorted again.
#include <algorithm>

#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CPU)

#include <tbb/parallel_invoke.h>
#include <tbb/parallel_sort.h>

#include <numeric>
#include <vector>

namespace warpview::WARPVIEW_BACKEND {
namespace {

// The leaves in [begin, end) of each list.
struct SweepRange {
  std::uint32_t begin, end;

  std::uint32_t leaves() const { return end - begin; }
};

struct SweepCut {
  double cost;
  std::uint32_t off_middle;  // how far from the middle it is, in half leaves
  int axis;
  std::uint32_t at;  // the first place of the right side

  bool is_better_than(const SweepCut& other) const {
    if (cost != other.cost) return cost < other.cost;
    return off_middle < other.off_middle;
  }
};

class Sweep {
 public:
  explicit Sweep(const BuildArgs& args)
      : bvh_(args.bvh), count_(*args.count), boxes_(count_), is_right_(count_) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::uint32_t primitive = args.primitives[i];
      boxes_[i] = args.boxes[primitive].with_positive_zeros();
      bvh_.nodes[bvh_.first_leaf() + i] = {boxes_[i].min, primitive, boxes_[i].max,
                                           BvhNode::leaf_mark};
    }
    tbb::parallel_invoke([this] { sort_along<&Vec3::x>(lists_[0]); },
                         [this] { sort_along<&Vec3::y>(lists_[1]); },
                         [this] { sort_along<&Vec3::z>(lists_[2]); });
    for (List& list : lists_) {
      list.right_area.resize(count_);
      list.partitioned.resize(count_);
    }
  }

  void build() {
    *bvh_.root = count_ > 0 ? build({0, count_}) : Bvh::no_node;
    if (count_ > 0) bvh_.parent[*bvh_.root] = Bvh::no_node;
  }

 private:
  struct List {
    std::vector<std::uint32_t> leaves;  // along the axis
    std::vector<float> right_area;      // of the leaves from each place to the end of the range
    std::vector<std::uint32_t> partitioned;
  };

  // Equal centres stand in the order of the leaves.
  template <float Vec3::*axis>
  void sort_along(List& list) {
    list.leaves.resize(count_);
    std::iota(list.leaves.begin(), list.leaves.end(), 0U);
    const auto centre = [this](std::uint32_t leaf) {
      return 0.5F * boxes_[leaf].min.*axis + 0.5F * boxes_[leaf].max.*axis;
    };
    tbb::parallel_sort(list.leaves.begin(), list.leaves.end(),
                       [&centre](std::uint32_t a, std::uint32_t b) {
                         const float of_a = centre(a);
                         const float of_b = centre(b);
                         return of_a != of_b ? of_a < of_b : a < b;
                       });
  }

  // Returns the node. A cut has its own place between two leaves, which numbers its node: nodes
  // need no counter.
  std::uint32_t build(const SweepRange& range) {
    if (range.leaves() == 1) return bvh_.first_leaf() + lists_[0].leaves[range.begin];
    const SweepCut cut = cheapest_cut(range);
    partition_lists(range, cut);
    const SweepRange left{range.begin, cut.at};
    const SweepRange right{cut.at, range.end};
    std::uint32_t children[2];
    constexpr std::uint32_t worth_a_task = 1024;
    if (range.leaves() < worth_a_task) {
      children[0] = build(left);
      children[1] = build(right);
    } else {
      tbb::parallel_invoke([&] { children[0] = build(left); }, [&] { children[1] = build(right); });
    }
    const std::uint32_t node = cut.at - 1;
    const Aabb box = merge(bvh_.nodes[children[0]].box(), bvh_.nodes[children[1]].box());
    bvh_.nodes[node] = {box.min, children[0], box.max, children[1]};
    for (const std::uint32_t child : children) bvh_.parent[child] = node;
    return node;
  }

  SweepCut cheapest_cut(const SweepRange& range) {
    SweepCut best = cheapest_along(0, range);
    for (const int axis : {1, 2}) {
      const SweepCut other = cheapest_along(axis, range);
      if (other.is_better_than(best)) best = other;
    }
    return best;
  }

  SweepCut cheapest_along(int axis, const SweepRange& range) {
    List& list = lists_[axis];
    Aabb box = Aabb::empty();
    for (std::uint32_t i = range.end; i-- > range.begin;) {
      box = merge(box, boxes_[list.leaves[i]]);
      list.right_area[i] = box.finite_half_area();
    }
    box = Aabb::empty();
    SweepCut best{};
    for (std::uint32_t at = range.begin + 1; at < range.end; ++at) {
      box = merge(box, boxes_[list.leaves[at - 1]]);
      const std::uint32_t left = at - range.begin;
      const std::uint32_t right = range.end - at;
      const double cost =
          double{box.finite_half_area()} * left + double{list.right_area[at]} * right;
      const SweepCut cut{cost, left < right ? right - left : left - right, axis, at};
      if (at == range.begin + 1 || cut.is_better_than(best)) best = cut;
    }
    return best;
  }

  // Moves the leaves of the left side to the front of the range, in all lists.
  void partition_lists(const SweepRange& range, const SweepCut& cut) {
    const List& along = lists_[cut.axis];
    for (std::uint32_t i = range.begin; i < range.end; ++i)
      is_right_[along.leaves[i]] = i >= cut.at ? 1 : 0;
    for (List& list : lists_) {
      std::uint32_t left = range.begin;
      std::uint32_t right = cut.at;
      for (std::uint32_t i = range.begin; i < range.end; ++i) {
        const std::uint32_t leaf = list.leaves[i];
        list.partitioned[is_right_[leaf] != 0 ? right++ : left++] = leaf;
      }
      std::copy(list.partitioned.begin() + range.begin, list.partitioned.begin() + range.end,
                list.leaves.begin() + range.begin);
    }
  }

  const Bvh& bvh_;
  std::uint32_t count_;
  std::vector<Aabb> boxes_;              // of each leaf
  std::vector<unsigned char> is_right_;  // of each leaf, at the cut of its range
  List lists_[3];
};

}  // namespace

void build_sah_sweep(Stream& stream, const BuildArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  run_host(stream, [args] { Sweep(args).build(); });
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
