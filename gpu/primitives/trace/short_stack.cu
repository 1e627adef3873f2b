// A walk with a stack of a few nodes in shared memory. Where it runs empty too early, the walk
// starts again from the root and finds its way back by a trail of bits.
//
//   D. Horn, J. Sugerman, M. Houston, P. Hanrahan, Interactive k-D Tree GPU Raytracing, 2007 (the
//   short stack).
//   S. Laine, Restart Trail for Stackless BVH Traversal, 2010.
//
// The trail has one bit for each level of the path from the root. 0: both children were wanted, and
// the walk is below the near one; the far one is still to come. 1: there is nothing more to come on
// this level, because the walk is below the far child, or because only one was wanted. When a node
// is done, adding 1 at its level carries over all levels that are done, and lands on the lowest one
// with a far child to come, as it does in a binary counter. That child is on top of the stack,
// unless the stack has forgotten it: a full stack drops its oldest node. Then the walk starts from
// the root, takes on each level the child that the trail says, and puts the far ones aside again.
//
// A trail of 64 bits follows 62 levels. What lies deeper is visited by parent links (walk::linked).
#include "gpu/primitives/trace/query.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned short_stack_size = 4;

// The newest nodes of one thread's walk, in a ring in shared memory: neighbouring threads have
// neighbouring words, in different banks.
class ShortStack {
 public:
  using Storage = std::uint32_t[short_stack_size][tracing::threads];

  __device__ explicit ShortStack(Storage& storage) : storage_(storage) {}
  __device__ bool is_empty() const { return size_ == 0; }
  __device__ void push(std::uint32_t node) {
    top_ = (top_ + 1) % short_stack_size;
    storage_[top_][threadIdx.x] = node;
    if (size_ < short_stack_size) ++size_;
  }
  __device__ std::uint32_t pop() {
    const std::uint32_t node = storage_[top_][threadIdx.x];
    top_ = (top_ + short_stack_size - 1) % short_stack_size;
    --size_;
    return node;
  }

 private:
  Storage& storage_;
  unsigned top_ = 0;
  unsigned size_ = 0;
};

// The position of a walk: levels are bits, the root's is the highest.
class Trail {
 public:
  __device__ void start() { level_ = root_level; }
  __device__ bool can_go_down() const { return level_ > 1; }
  __device__ void go_down() { level_ >>= 1U; }
  // Has the near one of the node's children been visited?
  __device__ bool is_near_done() const { return (trail_ & level_ >> 1U) != 0; }
  // Only the near child is wanted. False if it has been visited, and the far one, which was to
  // come, is no longer wanted.
  __device__ bool take_only_child() {
    if (level_ >> 1U == landed_) return false;
    trail_ |= level_ >> 1U;
    return true;
  }
  // From a node that is done up to the lowest level with a far child to come; false: there is none.
  __device__ bool go_up() {
    trail_ = (trail_ & (0 - level_)) + level_;
    if ((trail_ & root_level) != 0) return false;
    landed_ = trail_ & (0 - trail_);
    level_ = landed_;
    return true;
  }

 private:
  static constexpr std::uint64_t root_level = std::uint64_t{1} << 63U;

  std::uint64_t trail_ = 0;
  std::uint64_t level_ = root_level;  // of the node; its children's is one lower
  std::uint64_t landed_ = 0;          // where the last go_up() ended
};

// Chooses the child of an inner node that the walk goes on with; false: the node is done.
template <class Query>
__device__ bool choose_child(const walk::Children& children, Trail& trail, ShortStack& stack,
                             Query& query, std::uint32_t& node, float& key) {
  const bool wants_far = query.wants(children.far_key);
  const bool takes_far = wants_far && trail.is_near_done();
  if (!wants_far && !(query.wants(children.near_key) && trail.take_only_child())) return false;
  if (wants_far && !takes_far) stack.push(children.far);
  node = takes_far ? children.far : children.near;
  key = takes_far ? children.far_key : children.near_key;
  trail.go_down();
  return true;
}

template <class Query>
__device__ void walk_by_trail(const Bvh& bvh, std::uint32_t root, ShortStack& stack, Query& query) {
  if (root == Bvh::no_node) return;
  const float root_key = query.enter(walk::node_of(bvh, root));
  if (!query.wants(root_key)) return;
  Trail trail;
  std::uint32_t node = root;
  float key = root_key;
  for (;;) {
    const BvhNode here = walk::node_of(bvh, node);
    if (here.is_leaf()) {
      if (query.leaf(node, here.left, key)) return;
    } else if (!trail.can_go_down()) {
      if (walk::linked(bvh, node, key, query)) return;
    } else if (choose_child(walk::children_of(bvh, here, query), trail, stack, query, node, key)) {
      continue;
    }
    if (!trail.go_up()) return;
    if (stack.is_empty()) {
      node = root;
      key = root_key;
      trail.start();
    } else {
      node = stack.pop();
      key = query.enter(walk::node_of(bvh, node));
    }
  }
}

template <class Query>
__global__ void __launch_bounds__(tracing::threads) trace_short_stack_kernel(TraceArgs args) {
  __shared__ ShortStack::Storage storage;
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  Query query(args);
  query.ask(i);
  ShortStack stack(storage);
  walk_by_trail(args.bvh, walk::root_of(args.bvh, args.count), stack, query);
  query.write(i);
}

}  // namespace

void trace_short_stack(Stream& stream, const TraceArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  tracing::with_query(args, [&]<class Kind>(Kind) {
    launch(stream, KERNEL(trace_short_stack_kernel<typename Kind::Type>),
           one_thread_each(args.n, tracing::threads), args);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
