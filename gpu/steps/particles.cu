// Steps on particles: gpu/steps/particles.h says what each of them does. A thread each.
#include "gpu/steps/particles.h"

#include "gpu/block/reduce.h"
#include "gpu/runtime/kernel.h"
#include "gpu/steps/random.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned particle_block_size = 256;

__device__ Vec3 nowhere() {
  const float nan = __builtin_nanf("");
  return {nan, nan, nan};
}

// --- emit

// The place at which a particle is born, with some jitter: a lattice without it would stand for
// ever.
__device__ Vec3 birth_place(const ParticleRules& rules, std::uint32_t number) {
  const std::uint32_t places = rules.side * rules.side;
  const std::uint32_t layer = number / places;
  const std::uint32_t column = number % rules.side;
  const std::uint32_t row = number % places / rules.side;
  const bool is_block = rules.emitter == static_cast<std::uint32_t>(Emitter::block);
  const float height = is_block ? static_cast<float>(layer) : 0.0F;
  const float spread = rules.jitter * rules.radius;
  return inside_box(rules, {rules.origin.x + static_cast<float>(column) * rules.spacing +
                                spread * random_signed(number, 0, rules.seed),
                            rules.origin.y + height * rules.spacing +
                                spread * random_signed(number, 1, rules.seed),
                            rules.origin.z + static_cast<float>(row) * rules.spacing +
                                spread * random_signed(number, 2, rules.seed)});
}

__global__ void emit_kernel(EmitArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const ParticleRules& rules = *args.rules;
  const bool is_block = rules.emitter == static_cast<std::uint32_t>(Emitter::block);
  args.positions[i] = {is_block ? birth_place(rules, i) : nowhere(), -1.0F};
  args.motions[i] = motion_of({0.0F, 0.0F, 0.0F}, i);
}

// --- integrate

// Has its layer's time come?
__device__ bool is_due(const ParticleRules& rules, std::uint32_t number, std::uint32_t substep) {
  const std::uint32_t layer = number / (rules.side * rules.side);
  const double now = rules.time + static_cast<double>(substep) * static_cast<double>(rules.dt);
  return static_cast<double>(layer) * static_cast<double>(rules.layer_gap) <= now;
}

// Keeps a coordinate between two walls; what bounces off loses all but `restitution` of its speed.
__device__ void keep_inside(float& x, float& speed, float low, float high, float restitution) {
  if (x < low || x > high) {
    x = x < low ? low : high;
    speed = -restitution * speed;
  }
}

__global__ void integrate_kernel(IntegrateArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const ParticleRules& rules = *args.rules;
  Vec4 position = args.positions[i];
  Vec4 motion = args.motions[i];
  if (!is_born(position)) {
    if (is_due(rules, number_of(motion), args.substep)) {
      position = {birth_place(rules, number_of(motion)), -1.0F};
      motion.xyz = rules.throw_velocity;
      args.motions[i] = motion;
    }
    args.moved[i] = position;
    return;
  }
  if (!args.has_mesh) position.w = -1.0F;
  Vec3& x = position.xyz;
  Vec3& v = motion.xyz;
  v = (v + rules.gravity * rules.dt) * rules.keeps;
  x = x + v * rules.dt;
  const float r = rules.radius;
  const Aabb& box = rules.box;
  keep_inside(x.x, v.x, box.min.x + r, box.max.x - r, rules.restitution);
  keep_inside(x.y, v.y, box.min.y + r, box.max.y - r, rules.restitution);
  keep_inside(x.z, v.z, box.min.z + r, box.max.z - r, rules.restitution);
  args.moved[i] = position;
  args.motions[i] = motion;
}

}  // namespace

void emit(Stream& stream, const EmitArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(emit_kernel), one_thread_each(args.n, particle_block_size), args);
}

void integrate(Stream& stream, const IntegrateArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(integrate_kernel), one_thread_each(args.n, particle_block_size), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
