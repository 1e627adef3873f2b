#include "scenes/parts/rays_reference.h"

#include "gpu/steps/paths_shading.h"
#include "gpu/steps/rays_shading.h"

namespace warpview {

std::vector<LeafTriangle> leaf_triangles_of(const Tree::Snapshot& tree) {
  const std::size_t count = tree.indices.size() / 3;
  const std::size_t first_leaf = tree.nodes.size() / 2;
  std::vector<LeafTriangle> leaves;
  for (std::size_t place = 0; place < count; ++place) {
    const std::uint32_t triangle = tree.nodes[first_leaf + place].left;
    const auto corner = [&](std::size_t k) {
      return tree.vertices[tree.indices[3 * std::size_t{triangle} + k]].position;
    };
    leaves.push_back({corner(0), triangle, corner(1), 0.0F, corner(2), 0.0F});
  }
  return leaves;
}

RaysMesh RaysModel::mesh() const {
  return {.vertices = vertices.data(),
          .indices = indices.data(),
          .material = material.data(),
          .colours = colours.empty() ? nullptr : colours.data(),
          .substances = substances.data(),
          .textures = textures,
          .tables = &tables};
}

namespace {

// A path from its first ray to its end.
void trace_path(const reference::RayTracer& tracer, const RaysModel& model, const RaysLook& look,
                std::uint32_t i, RaysSample& sample) {
  const RaysMesh mesh = model.mesh();
  PathRays rays{rays_camera_ray(look, i), rays_nothing()};
  RayHit hit = tracer.nearest(rays.next);
  sample.counts.hits += hit.triangle != RayHit::nothing ? 1 : 0;
  PathState path = path_of_camera(look, i);
  bool is_hidden = false;
  for (std::uint32_t bounce = 0; bounce < look.rounds; ++bounce) {
    if (bounce > 0) path_take_pending(path, is_hidden);
    rays = path_scatter(look, mesh, model.lights, rays.next, hit, i, bounce, path);
    is_hidden = tracer.any(rays.to_light);
    hit = tracer.nearest(rays.next);
    sample.counts.bounces += path_is_over(path) ? 0 : 1;
  }
  sample.rays.push_back(rays.next);
  sample.hits.push_back(hit);
  sample.shadow_rays.push_back(rays.to_light);
  sample.shadow.push_back(is_hidden ? 1 : 0);
  sample.paths.push_back(path);
  sample.sums.push_back(path_colour(look, mesh, model.lights, rays.next, hit, is_hidden, path));
}

}  // namespace

RaysSample trace_one_by_one(const RaysModel& model, const RaysLook& look,
                            const std::vector<TraceSteps>& steps, std::size_t n) {
  const reference::RayTracer tracer(model.vertices, model.indices);
  const RaysMesh mesh = model.mesh();
  RaysSample sample;
  sample.steps = steps;
  if (look.view == RaysView::paths) {
    for (std::uint32_t i = 0; i < n; ++i) trace_path(tracer, model, look, i, sample);
    return sample;
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const BoundedRay ray = rays_camera_ray(look, i);
    const RayHit hit = tracer.nearest(ray);
    sample.rays.push_back(ray);
    sample.hits.push_back(hit);
    sample.counts.hits += hit.triangle != RayHit::nothing ? 1 : 0;
    if (rays_shows_steps(look.view)) {
      sample.counts.boxes += steps[i].nodes;
      sample.counts.triangles += steps[i].triangles;
    }
    std::uint32_t hidden = 0;
    BoundedRay shadow_ray;
    bool in_shadow = false;
    for (std::uint32_t round = 0; round < look.rounds; ++round) {
      shadow_ray = rays_shadow_ray(look, mesh, ray, hit, i, round);
      in_shadow = tracer.any(shadow_ray);
      hidden += in_shadow ? 1 : 0;
    }
    if (look.rounds > 0) {
      sample.shadow_rays.push_back(shadow_ray);
      sample.shadow.push_back(in_shadow ? 1 : 0);
    }
    sample.sums.push_back(rays_shows_steps(look.view)
                              ? rays_step_colour(look, model.tables, steps.data(), i)
                              : rays_hit_colour(look, mesh, ray, hit, hidden));
  }
  return sample;
}

std::vector<Check> check_rays(const RaysModel& model, const RaysLook& look,
                              const RaysSample& found) {
  const RaysSample expected = trace_one_by_one(model, look, found.steps, found.rays.size());
  const RayCounts& a = found.counts;
  const RayCounts& b = expected.counts;
  const bool has_paths = look.view == RaysView::paths;
  std::vector<Check> checks = {
      {has_paths ? "scatter" : "camera_rays", difference("ray", found.rays, expected.rays)},
      {"trace", difference("the hit of ray", found.hits, expected.hits)},
      {"count", first_of({difference("the number of hits", a.hits, b.hits),
                          difference("the number of boxes", a.boxes, b.boxes),
                          difference("the number of triangles", a.triangles, b.triangles),
                          difference("the number of bounces", a.bounces, b.bounces)})}};
  if (look.rounds > 0) {
    checks.push_back({"shadow_rays", difference("ray", found.shadow_rays, expected.shadow_rays)});
    checks.push_back({"shadow", difference("the answer of ray", found.shadow, expected.shadow)});
  }
  if (has_paths) checks.push_back({"scatter", difference("path", found.paths, expected.paths)});
  checks.push_back({"shade", difference("the colour of ray", found.sums, expected.sums)});
  for (std::size_t i = 0; i < checks.size(); ++i)
    if (!checks[i].difference.empty()) checks.resize(i + 1);
  return checks;
}

std::vector<std::uint32_t> rays_pixels(const RaysTables& tables, const RaysLook& look,
                                       std::span<const Vec4> sums) {
  std::vector<std::uint32_t> pixels(std::size_t{look.width} * look.height);
  for (std::uint32_t i = 0; i < pixels.size(); ++i) {
    const RaysPixel at = rays_pixel(look, i);
    pixels[std::size_t{at.y} * look.width + at.x] = rays_encoded(look, tables, sums[i]);
  }
  return pixels;
}

}  // namespace warpview
