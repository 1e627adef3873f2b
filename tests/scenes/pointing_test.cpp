// Scenes of a mesh and its tree pointed at, coloured, cut open, and of files with points and lines:
// against plain loops over what lies on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "gpu/reference/reference.h"
#include "gpu/runtime/vertex.h"
#include "gpu/steps/particles.h"
#include "gpu/steps/pick.h"
#include "scenes/parts/picked.h"
#include "scenes/parts/tree.h"
#include "tests/scenes/mesh_scene.h"

namespace warpview::test {
namespace {

constexpr std::size_t pointed_triangles = 600;

template <class T>
T fact_of(const std::vector<Fact>& facts, const std::string& name) {
  for (const Fact& each : facts)
    if (each.name == name) return std::get<T>(each.value);
  ADD_FAILURE() << "there is no fact " << name;
  return {};
}

// A surface's corners in the picture, three to a triangle.
std::vector<Vec3> drawn_corners(const Scene& scene, const Targets& targets,
                                const char* name = "mesh") {
  const Output& surface = output(scene, name);
  const auto vertices = targets.read<Vertex>(surface.streams[0]);
  std::vector<Vec3> corners;
  for (const std::uint32_t index : targets.read<std::uint32_t>(surface.streams[1]))
    corners.push_back(vertices[index].position);
  return corners;
}

Aabb box_of(std::span<const Vec3> corners) {
  Aabb box = Aabb::empty();
  for (const Vec3& corner : corners) box = merge(box, {corner, corner});
  return box;
}

// The tree that every builder makes: over the triangles in the order of 30-bit codes, told apart by
// their index, cut where the highest bit differs.
class PlainTree {
 public:
  explicit PlainTree(const std::vector<Vec3>& corners) {
    std::vector<Aabb> boxes;
    for (std::size_t t = 0; 3 * t < corners.size(); ++t)
      boxes.push_back(box_of(std::span(corners).subspan(3 * t, 3)));
    const auto codes =
        reference::morton_bits30(boxes, boxes.size(), reference::bounds(boxes).centres);
    for (std::uint32_t t = 0; t < codes.size(); ++t) order_.emplace_back(codes[t], t);
    std::stable_sort(order_.begin(), order_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    boxes_ = std::move(boxes);
  }

  std::size_t rank_of(std::uint32_t triangle) const {
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (order_[i].second == triangle) return i;
    return order_.size();
  }
  std::uint32_t code_of(std::uint32_t triangle) const { return order_[rank_of(triangle)].first; }
  std::uint32_t triangle_at(std::size_t rank) const { return order_[rank].second; }
  std::size_t size() const { return order_.size(); }

  // The boxes from the root to the leaf.
  std::vector<Aabb> path_to(std::size_t rank) const {
    std::vector<Aabb> path;
    std::size_t first = 0;
    std::size_t end = order_.size();
    while (true) {
      Aabb box = Aabb::empty();
      for (std::size_t i = first; i < end; ++i) box = merge(box, boxes_[order_[i].second]);
      path.push_back(box);
      if (end - first == 1) return path;
      const std::size_t middle = split(first, end);
      (rank < middle ? end : first) = middle;
    }
  }

 private:
  std::uint64_t key(std::size_t i) const { return std::uint64_t{order_[i].first} << 32U | i; }
  // Where the highest bit changes in which the keys of [first, end) differ.
  std::size_t split(std::size_t first, std::size_t end) const {
    const std::uint64_t bit = std::bit_floor(key(first) ^ key(end - 1));
    std::size_t middle = first;
    while ((key(middle) & bit) == 0) ++middle;
    return middle;
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;  // code, triangle
  std::vector<Aabb> boxes_;
};

template <class Function>
void for_each_device(Function&& function) {
  for (const TestDevice& device : devices_for(pointed_triangles)) {
    SCOPED_TRACE(device.name);
    function(*device.device);
  }
}

const Ray from_the_right{{3, 0.21F, 0.13F}, {-1, 0, 0}};
const Ray from_above{{0.11F, 20, 0.07F}, {0, -1, 0}};
const Ray from_below{{0.03F, -20, 0.02F}, {0, 2, 0}};

// Those that can be marked, with a tree that is built over what is drawn.
struct Marked {
  const char* kind;
  std::vector<std::string> settings;
};
const std::array marked_scenes = {Marked{"mesh", {}},
                                  Marked{"mesh", {"animation=rebuild", "amplitude=0.1"}},
                                  Marked{"deformation", {"tree=rebuild", "shape=wave"}}};

// A surface that can be pointed at, by these rays, in a scene as it begins.
struct Surface {
  Marked scene;
  const char* output;
  std::vector<Ray> rays;
};
std::vector<Surface> surfaces() {
  std::vector<Surface> all;
  for (const Marked& scene : marked_scenes)
    all.push_back({scene,
                   "mesh",
                   {from_the_right, Ray{{0.02F, 0.03F, 0}, {0, 0, 5}},
                    Ray{{-0.3F, 4, 0.2F}, {0, -0.5F, 0}}}});
  const Marked cloth{"cloth", {"side=16"}};
  all.push_back({cloth, "cloth", {from_above, Ray{{-0.7F, 5, 0.4F}, {0.1F, -1, 0}}}});
  all.push_back({cloth, "mesh", {from_below}});
  all.push_back({{"particles", {"count=1000", "emitter=rain"}}, "mesh", {from_below}});
  return all;
}
template <class Function>
void for_each_marked(Function&& function) {
  for_each_device([&](Device& device) {
    for (const Marked& marked : marked_scenes) {
      SCOPED_TRACE(std::string(marked.kind) +
                   (marked.settings.empty() ? "" : ", " + marked.settings.front()));
      function(device, *find_scene_kind(marked.kind), marked.settings);
    }
  });
}

TEST(Pointing, AMortonCodesPathIsItsBitsByThrees) {
  EXPECT_EQ(morton_path(0b101110, 6), "101 110");
  EXPECT_EQ(morton_path(1, 9), "000 000 001");
  EXPECT_EQ(morton_path(~std::uint64_t{0} >> 1U, 63).size(), 63U + 20U);
}

void expect_leaf_and_path(Device& device, const Surface& surface, const char* build) {
  const auto scene = open_scene_of(*find_scene_kind(surface.scene.kind), device,
                                   sphere(pointed_triangles), surface.scene.settings, {build});
  const Targets targets(*scene);
  run(*scene, targets.all(0.0));
  const std::vector<Vec3> corners = drawn_corners(*scene, targets, surface.output);
  const PlainTree tree(corners);
  for (const Ray& ray : surface.rays) {
    const std::vector<Fact> facts = scene->pick(ray).facts;
    const auto triangle =
        static_cast<std::uint32_t>(fact_of<std::uint64_t>(facts, "pick.triangle"));
    const std::size_t rank = tree.rank_of(triangle);
    ASSERT_LT(rank, tree.size());
    const std::vector<Aabb> path = tree.path_to(rank);
    EXPECT_EQ(fact_of<std::uint64_t>(facts, "pick.leaf"), rank);
    EXPECT_EQ(fact_of<std::uint64_t>(facts, "pick.depth"), path.size() - 1);
    EXPECT_EQ(std::stoul(fact_of<std::string>(facts, "pick.code"), nullptr, 16),
              tree.code_of(triangle));
    EXPECT_EQ(fact_of<std::string>(facts, "pick.code_path"),
              morton_path(tree.code_of(triangle), 30));
    EXPECT_EQ(fact_of<std::string>(facts, "pick.material") == "cloth",
              surface.output == std::string("cloth"));
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Vec3 place = fact_of<Vec3>(facts, "pick.vertex_" + std::to_string(k));
      EXPECT_EQ(place.x, corners[3 * std::size_t{triangle} + k].x);
      EXPECT_EQ(place.z, corners[3 * std::size_t{triangle} + k].z);
    }
    // At least the way to the leaf, and much less than all.
    EXPECT_GE(fact_of<std::uint64_t>(facts, "pick.visited"), path.size());
    EXPECT_LT(fact_of<std::uint64_t>(facts, "pick.visited"), tree.size() / 2);

    run(*scene, targets.all(0.0));
    const Output& drawn = output(*scene, "path");
    ASSERT_EQ(targets.commands()[drawn.command].instances, path.size());
    EXPECT_EQ(targets.commands()[drawn.command].count, 24U);
    const auto boxes = targets.read<Aabb>(drawn.streams[0], path.size());
    for (std::size_t i = 0; i < path.size(); ++i) {
      EXPECT_EQ(boxes[i].min.x, path[i].min.x) << i;
      EXPECT_EQ(boxes[i].max.y, path[i].max.y) << i;
    }
  }
}

TEST(Pointing, TellsLeafDepthAndPath) {
  for_each_device([](Device& device) {
    for (const Surface& surface : surfaces()) {
      SCOPED_TRACE(std::string(surface.scene.kind) + ", " + surface.output);
      expect_leaf_and_path(device, surface, "build=karras");
      if (surface.scene.kind == std::string("mesh"))
        expect_leaf_and_path(device, surface, "build=apetrei");
    }
  });
}

// What is lit up follows the picks from surface to surface, though frames are replayed.
TEST(Pointing, OneSurfaceAfterTheOther) {
  for_each_device([](Device& device) {
    const auto scene =
        open_scene_of(*find_scene_kind("cloth"), device, sphere(pointed_triangles), {"side=16"});
    const Targets targets(*scene);
    run(*scene, targets.all());
    for (int turn = 0; turn < 2; ++turn)
      for (const auto& [ray, name] :
           {std::pair{from_above, "cloth"}, std::pair{from_below, "mesh"}}) {
        const auto facts = scene->pick(ray).facts;
        const auto triangle = fact_of<std::uint64_t>(facts, "pick.triangle");
        EXPECT_EQ(std::any_of(facts.begin(), facts.end(),
                              [](const Fact& fact) { return fact.name == "pick.row"; }),
                  name == std::string("cloth"));
        run(*scene, targets.all());
        const std::vector<Vec3> corners = drawn_corners(*scene, targets, name);
        const auto lit = targets.read<Vec3>(output(*scene, "picked").streams[0]);
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_EQ(lit[k].y, corners[3 * triangle + k].y) << name << ", turn " << turn;
      }
    // What is not shown is not hit, and what lies behind it is.
    run(*scene, targets.only(output(*scene, "mesh"), 0.0));
    EXPECT_NE(fact_of<std::string>(scene->pick(from_above).facts, "pick.material"), "cloth");
  });
}

// The first sphere that a ray meets from outside, in doubles.
std::optional<Vec3> first_sphere(const Ray& ray, const std::vector<DrawnSphere>& spheres,
                                 double radius) {
  const auto dot_of = [](const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  const auto doubles = [](Vec3 v) { return std::array<double, 3>{v.x, v.y, v.z}; };
  std::optional<Vec3> first;
  double nearest = 0.0;
  for (const DrawnSphere& sphere : spheres) {
    if (!(sphere.centre.x == sphere.centre.x)) continue;
    const auto direction = doubles(ray.direction);
    const auto origin = doubles(ray.origin);
    const auto centre = doubles(sphere.centre);
    const std::array<double, 3> off = {origin[0] - centre[0], origin[1] - centre[1],
                                       origin[2] - centre[2]};
    const double a = dot_of(direction, direction);
    const double b = dot_of(off, direction);
    const double discriminant = b * b - a * (dot_of(off, off) - radius * radius);
    if (discriminant < 0.0) continue;
    const double t = (-b - std::sqrt(discriminant)) / a;
    if (t < 0.0 || (first && t >= nearest)) continue;
    first = sphere.centre;
    nearest = t;
  }
  return first;
}

TEST(Pointing, RaysMeetTheSpheresThatAPlainLoopFinds) {
  for_each_device([](Device& device) {
    const auto scene = open_scene_of(*find_scene_kind("particles"), device,
                                     sphere(pointed_triangles), {"count=1000"});
    const Targets targets(*scene);
    const Output& spheres = output(*scene, "spheres");
    run(*scene, targets.all());
    run(*scene, targets.only(spheres));
    const auto drawn = targets.read<DrawnSphere>(spheres.streams[0]);
    const auto radius = fact_of<double>(scene->facts(), "particles.radius");
    int hits = 0;
    Ray highest;
    float height = -INFINITY;
    for (int i = 0; i < 100; ++i) {
      const Ray ray{{-0.9F + 0.02F * static_cast<float>(i), 30, -0.7F + 0.013F * float(i)},
                    {0.01F, -2, 0}};
      const auto expected = first_sphere(ray, drawn, radius);
      const std::vector<Fact> facts = scene->pick(ray).facts;
      ASSERT_EQ(facts.empty(), !expected) << i;
      if (!expected) continue;
      ++hits;
      const Vec3 centre = fact_of<Vec3>(facts, "pick.centre");
      EXPECT_EQ(centre.x, expected->x) << i;
      EXPECT_EQ(centre.y, expected->y) << i;
      if (centre.y > height) highest = ray;
      height = std::max(height, centre.y);
      const Vec3 off = fact_of<Vec3>(facts, "pick.place") - centre;
      EXPECT_NEAR(std::sqrt(double{dot(off, off)}), radius, 0.02 * radius);
      const std::vector<Fact> glance = scene->glance(ray).facts;
      EXPECT_EQ(fact_of<std::uint64_t>(glance, "pick.particle"),
                fact_of<std::uint64_t>(facts, "pick.particle"));
    }
    EXPECT_GT(hits, 20);
    // A sphere before the mesh takes the light from what was picked of that.
    run(*scene, targets.all(0.0));
    const auto lit = [&] {
      run(*scene, targets.all(0.0));
      return targets.commands()[output(*scene, "picked").command].count;
    };
    EXPECT_FALSE(scene->pick(from_below).empty());
    EXPECT_EQ(lit(), 3U);
    ASSERT_GT(height, 1.0F) << "above the mesh";
    EXPECT_EQ(fact_of<Vec3>(scene->pick(highest).facts, "pick.centre").y, height);
    EXPECT_EQ(lit(), 0U);
  });
}

// Picked where it is now, and lit up where it is then.
TEST(Pointing, TheHighlightMovesWithTheMesh) {
  for_each_device([](Device& device) {
    const std::array ways = {
        Marked{"mesh", {"animation=refit", "amplitude=0.3"}},
        Marked{"mesh", {"animation=rebuild", "amplitude=0.3"}},
        Marked{"deformation", {"tree=refit", "shape=bulge", "strength=1", "axis=x"}},
        Marked{"cloth", {"side=16"}}};
    for (const Marked& way : ways) {
      SCOPED_TRACE(way.settings.front());
      const auto scene = open_scene_of(*find_scene_kind(way.kind), device,
                                       sphere(pointed_triangles), way.settings);
      const bool falls = way.kind == std::string("cloth");
      const char* const surface = falls ? "cloth" : "mesh";
      const double step = falls ? time_step : 0.3;
      const Targets targets(*scene);
      run(*scene, targets.all(step));
      const auto facts = scene->pick(falls ? from_above : from_the_right).facts;
      const auto triangle = fact_of<std::uint64_t>(facts, "pick.triangle");
      const Vec3 picked_at = fact_of<Vec3>(facts, "pick.vertex_0");
      EXPECT_EQ(picked_at.y, drawn_corners(*scene, targets, surface)[3 * triangle].y);
      Vec3 before = picked_at;
      for (int frame = 0; frame < 3; ++frame) {
        run(*scene, targets.all(step));
        const std::vector<Vec3> corners = drawn_corners(*scene, targets, surface);
        const Output& marked = output(*scene, "picked");
        ASSERT_EQ(targets.commands()[marked.command].count, 3U);
        const auto lit = targets.read<Vec3>(marked.streams[0]);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(lit[k].y, corners[3 * triangle + k].y);
        EXPECT_NE(lit[0].y, before.y);
        before = lit[0];
        // The last box of the path is the triangle's.
        const Output& path = output(*scene, "path");
        const std::uint32_t boxes = targets.commands()[path.command].instances;
        ASSERT_GT(boxes, 0U);
        const Aabb leaf = targets.read<Aabb>(path.streams[0], boxes).back();
        EXPECT_EQ(leaf.min.y, box_of(std::span(corners).subspan(3 * triangle, 3)).min.y);
      }
    }
  });
}

TEST(Pointing, NothingIsLitUpBeforeAndAfter) {
  for_each_device([](Device& device) {
    const auto scene = open_scene(device, sphere(pointed_triangles));
    const Targets targets(*scene);
    const auto drawn = [&](const char* name) {
      const DrawCommand command = targets.commands()[output(*scene, name).command];
      return command.count * command.instances;
    };
    run(*scene, targets.all());
    EXPECT_EQ(drawn("path") + drawn("picked"), 0U);
    EXPECT_FALSE(scene->glance(from_the_right).empty());
    run(*scene, targets.all());
    EXPECT_EQ(drawn("path") + drawn("picked"), 0U);  // a glance changes nothing
    EXPECT_FALSE(scene->pick(from_the_right).empty());
    run(*scene, targets.all());
    EXPECT_GT(drawn("path"), 0U);
    EXPECT_GT(drawn("picked"), 0U);
    EXPECT_TRUE(scene->pick({{3, 0, 0}, {1, 0, 0}}).empty());
    run(*scene, targets.all());
    EXPECT_EQ(drawn("path") + drawn("picked"), 0U);
  });
}

TEST(Pointing, AGlanceTellsTheSameTriangle) {
  for_each_device([](Device& device) {
    const auto scene = open_scene(device, sphere(pointed_triangles));
    const auto glance = scene->glance(from_the_right).facts;
    const auto pick = scene->pick(from_the_right).facts;
    for (const char* name : {"pick.triangle"})
      EXPECT_EQ(fact_of<std::uint64_t>(glance, name), fact_of<std::uint64_t>(pick, name));
    EXPECT_EQ(fact_of<std::string>(glance, "pick.material"),
              fact_of<std::string>(pick, "pick.material"));
    EXPECT_EQ(fact_of<Vec3>(glance, "pick.place").x, fact_of<Vec3>(pick, "pick.place").x);
    EXPECT_LT(glance.size(), pick.size());
    EXPECT_TRUE(scene->glance({{3, 0, 0}, {1, 0, 0}}).empty());
  });
}

// --- Cut open

TEST(Pointing, WhatIsCutOffIsNotHit) {
  for_each_device([](Device& device) {
    for (const char* kind : {"mesh", "deformation"}) {
      SCOPED_TRACE(kind);
      const auto scene = open_scene_of(*find_scene_kind(kind), device, sphere(pointed_triangles));
      const auto place = [&](const Ray& ray) {
        return scene->pick(ray).place.value_or(Vec3{99, 99, 99});
      };
      EXPECT_FALSE(scene->cut().cuts());
      EXPECT_GT(place(from_the_right).x, 0.5F);
      set(*scene, "cut=on");
      ASSERT_TRUE(scene->cut().cuts());
      EXPECT_NEAR(scene->cut().offset, 0.0F, 0.1F);
      // The right half is gone: the inside of the left is seen.
      const Vec3 inside = place(from_the_right);
      EXPECT_LT(inside.x, -0.5F);
      EXPECT_NEAR(inside.y, 0.21F, 1e-5F);
      EXPECT_LT(place({{-3, 0.21F, 0.13F}, {1, 0, 0}}).x, -0.5F);
      // From within the left half to the right: the only triangle on the way is cut off.
      EXPECT_EQ(place({{-0.3F, 0.21F, 0.13F}, {1, 0, 0}}).x, 99.0F);
      // Along the plane, on its two sides.
      EXPECT_EQ(place({{0.4F, 3, 0.1F}, {0, -1, 0}}).x, 99.0F);
      EXPECT_EQ(place({{-0.4F, 3, 0.1F}, {0, -1, 0}}).x, -0.4F);
      set(*scene, "cut_at=1");
      EXPECT_GT(place(from_the_right).x, 0.5F);
      set(*scene, "cut_axis=y");
      set(*scene, "cut_at=0.25");
      EXPECT_EQ(scene->cut().normal.y, 1.0F);
      EXPECT_EQ(place(from_the_right).x, 99.0F);  // it goes along above the plane
      EXPECT_LT(place({{0.1F, 3, 0.1F}, {0, -1, 0}}).y, -0.5F);
    }
  });
}

// --- Colours

TEST(Pointing, TrianglesAreColouredByWhatAPlainLoopFinds) {
  for_each_marked([](Device& device, const SceneKind& kind,
                     const std::vector<std::string>& settings) {
    const auto scene = open_scene_of(kind, device, sphere(pointed_triangles), settings);
    const Targets targets(*scene);
    run(*scene, targets.all());
    const PlainTree tree(drawn_corners(*scene, targets));
    std::size_t deepest = 0;
    for (std::size_t i = 0; i < tree.size(); ++i)
      deepest = std::max(deepest, tree.path_to(i).size() - 1);
    const std::size_t stream = output(*scene, "mesh").streams[4];
    const auto expect = [&](const char* colour_by, Colouring style, const auto& value) {
      SCOPED_TRACE(colour_by);
      set(*scene, std::string("colour_by=") + colour_by);
      run(*scene, targets.all(0.0));
      for (const char* surface : {"mesh", "wire"})
        EXPECT_EQ(output(*scene, surface).style, OutputStyle(SurfaceStyle{.colouring = style}));
      const auto got = targets.read<float>(stream);
      for (std::size_t i = 0; i < tree.size(); ++i)
        ASSERT_NEAR(got[tree.triangle_at(i)], value(i), 1e-6) << i;
    };
    const auto last = static_cast<double>(tree.size() - 1);
    expect("rank", Colouring::ramp, [&](std::size_t i) { return static_cast<double>(i) / last; });
    expect("leaf", Colouring::blocks, [](std::size_t i) {
      const double turns = static_cast<double>(i) * (std::sqrt(5.0) - 1.0) / 2.0;
      return turns - std::floor(turns);
    });
    expect("depth", Colouring::ramp, [&](std::size_t i) {
      return static_cast<double>(tree.path_to(i).size() - 1) / static_cast<double>(deepest);
    });
    EXPECT_EQ(scene->slider_max(scene->controls().find("digit")), 3.0);
    for (const unsigned digit : {0U, 2U, 3U}) {
      set(*scene, "digit=" + std::to_string(digit));
      expect("digit", Colouring::ramp, [&](std::size_t i) {
        const std::uint32_t largest = digit == 3 ? 63 : 255;  // of 30 bits
        return (tree.code_of(tree.triangle_at(i)) >> 8 * digit & largest) /
               static_cast<double>(largest);
      });
    }
    // These need no stream.
    for (const char* plain : {"colour_by=material", "colour_by=normal"}) {
      set(*scene, plain);
      targets.clear();
      run(*scene, targets.all(0.0));
      EXPECT_EQ(targets.elements(stream)[0], std::string(4, '\x5a')) << plain;
    }
  });
}

// --- Points, lines and colours of a file

Mesh with_elements(std::size_t sphere_triangles) {
  Mesh mesh = sphere(sphere_triangles);
  for (int i = 0; i < 5; ++i)
    mesh.points.push_back({{0.5F * static_cast<float>(i), 2, 0}, 0xff000000U + i});
  for (int i = 0; i < 6; ++i)
    mesh.line_ends.push_back({{0, 0, static_cast<float>(-i)}, 0xff00ff00U + i});
  return mesh;
}

TEST(Pointing, PointsAndLinesOfAFileAreAPicture) {
  for_each_device([](Device& device) {
    for (const std::size_t n : {std::size_t{0}, std::size_t{100}}) {
      const Mesh mesh = with_elements(n);
      const auto scene = open_scene(device, mesh);
      EXPECT_EQ(count(*scene, "mesh.points"), 5U);
      EXPECT_EQ(count(*scene, "mesh.lines"), 3U);
      const Aabb bounds = scene->bounds();
      EXPECT_EQ(bounds.max.x, 2.0F);
      EXPECT_EQ(bounds.min.z, -5.0F);
      EXPECT_EQ(fact<Aabb>(*scene, "mesh.bounds").max.y, 2.0F);
      const Targets targets(*scene);
      run(*scene, targets.all());
      const auto expect_drawn = [&](const char* name, const std::vector<ColouredPoint>& want) {
        const Output& drawn = output(*scene, name);
        EXPECT_FALSE(drawn.empty);
        EXPECT_TRUE(drawn.shown);
        ASSERT_EQ(targets.commands()[drawn.command].count, want.size());
        const auto places = targets.read<Vertex>(drawn.streams[0]);
        const auto colours = targets.read<std::uint32_t>(drawn.streams[1]);
        for (std::size_t i = 0; i < want.size(); ++i) {
          EXPECT_EQ(places[i].position.x, want[i].position.x);
          EXPECT_EQ(places[i].position.z, want[i].position.z);
          EXPECT_EQ(colours[i], want[i].colour);
        }
      };
      expect_drawn("dots", mesh.points);
      expect_drawn("lines", mesh.line_ends);
      expect_sound(*scene);
    }
  });
  const auto without = open_scene(*devices_for(33).front().device, sphere(33));
  EXPECT_TRUE(output(*without, "dots").empty);
  EXPECT_TRUE(output(*without, "lines").empty);
}

TEST(Pointing, PointsAndLinesMoveWithTheMesh) {
  for_each_device([](Device& device) {
    const Mesh mesh = with_elements(100);
    const auto scene = open_scene(device, mesh, {"animation=refit", "amplitude=0.2"});
    const Targets targets(*scene);
    const std::size_t stream = output(*scene, "dots").streams[0];
    run(*scene, targets.all(0.3));
    const auto moved = targets.read<Vertex>(stream);
    float farthest = 0.0F;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      EXPECT_EQ(moved[i].position.x, mesh.points[i].position.x);
      farthest = std::max(farthest, std::abs(moved[i].position.y - 2.0F));
    }
    EXPECT_GT(farthest, 0.05F);
    set(*scene, "animation=off");
    run(*scene, targets.all());
    EXPECT_EQ(targets.read<Vertex>(stream)[3].position.y, 2.0F);
  });
}

TEST(Pointing, ColoursOfCornersStayWithTheirTriangles) {
  for_each_device([](Device& device) {
    Mesh mesh = with_non_finite(40, 7);
    for (std::uint32_t c = 0; c < mesh.corners.size(); ++c)
      mesh.corner_colours.push_back(0xff000000U + c);
    std::vector<std::uint32_t> want;
    for (std::size_t t = 0; t < 40; ++t)
      for (std::uint32_t k = 0; k < 3 && t % 7 != 0; ++k)
        want.push_back(0xff000000U + 3 * static_cast<std::uint32_t>(t) + k);
    int meshes = 0;
    for (const SceneKind& kind : scene_kinds()) {
      SCOPED_TRACE(kind.name);
      Controls controls(kind.controls);
      if (kind.size_control) {
        const std::size_t size = controls.find(kind.size_control);
        controls.set(size, controls.all()[size].least);
      }
      const auto scene = make_scene(kind, device, mesh, controls);
      load(*scene);
      const Targets targets(*scene);
      run(*scene, targets.all());
      // Corners of a subdivided surface are others.
      const auto& all = scene->outputs();
      const auto draws_mesh = [](const Output& one) {
        return one.name == std::string_view("mesh") && one.kind == OutputKind::surface;
      };
      if (std::none_of(all.begin(), all.end(), draws_mesh)) continue;
      if (kind.name == std::string_view("subdivision")) continue;
      ++meshes;
      const Output& surface = output(*scene, "mesh");
      EXPECT_TRUE(style_as<SurfaceStyle>(surface.style).has_colours);
      EXPECT_EQ(targets.read<std::uint32_t>(surface.streams[3], want.size()), want);
      expect_sound(*scene);
    }
    EXPECT_GT(meshes, 0);
  });
}

}  // namespace
}  // namespace warpview::test
