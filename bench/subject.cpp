#include "bench/subject.h"

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "gpu/reference/reference.h"
#include "gpu/runtime/buffer.h"
#include "scenes/generated.h"

namespace warpview::bench {
namespace {

template <class T>
Buffer<T> uploaded(Device& device, Stream& stream, const std::vector<T>& host) {
  Buffer<T> buffer(device, host.size());
  buffer.upload(stream, host);
  stream.synchronize();
  return buffer;
}

// Compares byte by byte; the types have no padding.
template <class T>
std::string first_difference(const std::vector<T>& got, const std::vector<T>& want,
                             const char* what) {
  if (got.size() != want.size())
    return std::to_string(got.size()) + " " + what + " instead of " + std::to_string(want.size());
  for (std::size_t i = 0; i < want.size(); ++i)
    if (std::memcmp(&got[i], &want[i], sizeof(T)) != 0)
      return std::string(what) + " differ from the reference at place " + std::to_string(i);
  return {};
}

template <class T>
std::vector<T> random_words(std::uint32_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> words(n);
  for (T& word : words) word = static_cast<T>(random());
  return words;
}

// Small boxes all over the unit cube.
std::vector<Aabb> random_boxes(std::uint32_t n) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> place(0.0F, 1.0F);
  std::uniform_real_distribution<float> size(0.0F, 0.01F);
  std::vector<Aabb> boxes(n);
  for (Aabb& box : boxes) {
    const Vec3 corner{place(random), place(random), place(random)};
    box = {corner, corner + Vec3{size(random), size(random), size(random)}};
  }
  return boxes;
}

class Scan : public Subject {
 public:
  Scan(Device& device, Stream& stream, std::uint32_t n)
      : Subject(device, stream, n),
        host_(random_words<std::uint32_t>(n, 1)),
        want_(reference::scan(host_, false)),
        in_(uploaded(device, stream, host_)),
        out_(device, n) {}

  void run(int row) override {
    scratch_.run(device_.table().scan(row), stream_,
                 ScanArgs{.in = in_.data(), .out = out_.data(), .n = n_, .inclusive = false});
  }
  std::string check(int) override {
    return first_difference(out_.download(stream_), want_, "sums");
  }

 private:
  std::vector<std::uint32_t> host_, want_;
  Buffer<std::uint32_t> in_, out_;
};

class Bounds : public Subject {
 public:
  Bounds(Device& device, Stream& stream, std::uint32_t n)
      : Subject(device, stream, n), out_(device, 1) {
    const std::vector<Aabb> host = random_boxes(n);
    want_ = {reference::bounds(host)};
    boxes_ = uploaded(device, stream, host);
  }

  void run(int row) override {
    scratch_.run(device_.table().bounds(row), stream_,
                 BoundsArgs{.boxes = boxes_.data(), .n = n_, .out = out_.data()});
  }
  std::string check(int) override {
    return first_difference(out_.download(stream_), want_, "bounds");
  }

 private:
  std::vector<SceneBounds> want_;
  Buffer<Aabb> boxes_;
  Buffer<SceneBounds> out_;
};

template <class Key>
class Sort : public Subject {
 public:
  Sort(Device& device, Stream& stream, std::uint32_t n)
      : Subject(device, stream, n, sizeof(Key), sizeof(Key)),
        keys_out_(device, n),
        values_out_(device, n) {
    const std::vector<Key> keys = random_words<Key>(n, 2);
    const std::vector<std::uint32_t> values = random_words<std::uint32_t>(n, 3);
    want_ = reference::sort<Key>(keys, values, 0, bits);
    keys_in_ = uploaded(device, stream, keys);
    values_in_ = uploaded(device, stream, values);
  }

  void run(int row) override {
    scratch_.run(device_.table().sort(row), stream_,
                 SortArgs{.key_bits = bits,
                          .keys_in = keys_in_.data(),
                          .keys_out = keys_out_.data(),
                          .values_in = values_in_.data(),
                          .values_out = values_out_.data(),
                          .n = n_,
                          .begin_bit = 0,
                          .end_bit = bits});
  }
  std::string check(int) override {
    const std::string keys = first_difference(keys_out_.download(stream_), want_.keys, "keys");
    if (!keys.empty()) return keys;
    return first_difference(values_out_.download(stream_), want_.values, "values");
  }

 private:
  static constexpr int bits = 8 * sizeof(Key);
  reference::Pairs<Key> want_;
  Buffer<Key> keys_in_, keys_out_;
  Buffer<std::uint32_t> values_in_, values_out_;
};

class Morton : public Subject {
 public:
  Morton(Device& device, Stream& stream, std::uint32_t n)
      : Subject(device, stream, n), host_(random_boxes(n)), codes_(device, n) {
    bounds_on_host_ = reference::bounds(host_);
    boxes_ = uploaded(device, stream, host_);
    count_ = uploaded<std::uint32_t>(device, stream, {n});
    bounds_ = uploaded<SceneBounds>(device, stream, {bounds_on_host_});
  }

  void run(int row) override {
    scratch_.run(device_.table().morton(row), stream_,
                 MortonArgs{.boxes = boxes_.data(),
                            .count = count_.data(),
                            .n = n_,
                            .bounds = bounds_.data(),
                            .codes = codes_.data()});
  }
  std::string check(int row) override {
    const Aabb& domain = bounds_on_host_.centres;
    const std::vector<std::uint64_t> got = codes_.download(stream_);
    if (morton_key_bits(row) == 64)
      return first_difference(got, reference::morton_bits63(host_, n_, domain), "codes");
    std::vector<std::uint32_t> narrow(n_);
    if (n_ > 0) std::memcpy(narrow.data(), got.data(), n_ * sizeof(std::uint32_t));
    return first_difference(narrow, reference::morton_bits30(host_, n_, domain), "codes");
  }

 private:
  std::vector<Aabb> host_;
  SceneBounds bounds_on_host_;
  Buffer<Aabb> boxes_;
  Buffer<std::uint32_t> count_;
  Buffer<SceneBounds> bounds_;
  Buffer<std::uint64_t> codes_;  // room for either width
};

// A tree over the 30-bit Morton codes of random boxes.
class Tree : public Subject {
 public:
  Tree(Device& device, Stream& stream, std::uint32_t n)
      : Subject(device, stream, n),
        host_boxes_(random_boxes(n)),
        nodes_(device, 2 * std::size_t{n} - 1),
        parent_(device, 2 * std::size_t{n} - 1),
        root_(device, 1) {
    const std::vector<std::uint32_t> codes =
        reference::morton_bits30(host_boxes_, n, reference::bounds(host_boxes_).centres);
    auto sorted = reference::sort<std::uint32_t>(codes, {}, 0, 32);
    host_codes_.assign(sorted.keys.begin(), sorted.keys.end());
    host_primitives_ = std::move(sorted.values);
    codes_ = uploaded(device, stream, sorted.keys);
    primitives_ = uploaded(device, stream, host_primitives_);
    boxes_ = uploaded(device, stream, host_boxes_);
    count_ = uploaded<std::uint32_t>(device, stream, {n});
  }

 protected:
  void build(int row) {
    scratch_.run(device_.table().build(row), stream_,
                 BuildArgs{.code_bits = 32,
                           .codes = codes_.data(),
                           .primitives = primitives_.data(),
                           .count = count_.data(),
                           .boxes = boxes_.data(),
                           .bvh = bvh()});
  }
  void refit(int row) {
    scratch_.run(device_.table().refit(row), stream_,
                 RefitArgs{.count = count_.data(), .boxes = boxes_.data(), .bvh = bvh()});
  }
  std::string check_tree(bool fitted) {
    const reference::Tree tree{nodes_.download(stream_), parent_.download(stream_),
                               root_.download(stream_).front(), n_, n_};
    const std::string topology = reference::check_topology(tree, host_codes_, host_primitives_);
    if (!topology.empty() || !fitted) return topology;
    return reference::check_boxes(tree, host_boxes_);
  }

 private:
  Bvh bvh() const {
    return {.nodes = nodes_.data(), .parent = parent_.data(), .root = root_.data(), .capacity = n_};
  }

  std::vector<Aabb> host_boxes_;
  std::vector<std::uint64_t> host_codes_;
  std::vector<std::uint32_t> host_primitives_;
  Buffer<std::uint32_t> codes_, primitives_, count_;
  Buffer<Aabb> boxes_;
  Buffer<BvhNode> nodes_;
  Buffer<std::uint32_t> parent_, root_;
};

class Build : public Tree {
 public:
  using Tree::Tree;
  void run(int row) override { build(row); }
  std::string check(int row) override { return check_tree(build_fits(row)); }
};

class Refit : public Tree {
 public:
  Refit(Device& device, Stream& stream, std::uint32_t n) : Tree(device, stream, n) {
    build(default_variant(Primitive::build));
  }
  void run(int row) override { refit(row); }
  std::string check(int) override { return check_tree(true); }
};

// The corners of a smooth closed surface: about six share a vertex.
class Dedup : public Subject {
 public:
  Dedup(Device& device, Stream& stream, std::uint32_t n)
      : Subject(device, stream, n),
        indices_(device, n),
        vertices_(device, n),
        vertex_count_(device, 1) {
    std::vector<Vertex> corners = make_sphere(n / 3 + 1).corners;
    corners.resize(n);
    want_ = reference::dedup(corners);
    corners_ = uploaded(device, stream, corners);
    count_ = uploaded<std::uint32_t>(device, stream, {n});
  }

  void run(int row) override {
    scratch_.run(device_.table().dedup(row), stream_,
                 DedupArgs{.corners = corners_.data(),
                           .count = count_.data(),
                           .n = n_,
                           .indices = indices_.data(),
                           .vertices = vertices_.data(),
                           .vertex_count = vertex_count_.data(),
                           .scan = device_.table().scan(default_variant(Primitive::scan))});
  }
  std::string check(int) override {
    const std::string indices =
        first_difference(indices_.download(stream_), want_.indices, "indices");
    if (!indices.empty()) return indices;
    const std::uint32_t found = vertex_count_.download(stream_).front();
    return first_difference(vertices_.download(stream_, found), want_.vertices, "vertices");
  }

 private:
  reference::Mesh want_;
  Buffer<Vertex> corners_;
  Buffer<std::uint32_t> count_, indices_;
  Buffer<Vertex> vertices_;
  Buffer<std::uint32_t> vertex_count_;
};

template <class T>
std::unique_ptr<Subject> make(Device& device, Stream& stream, std::uint32_t n) {
  return std::make_unique<T>(device, stream, n);
}

constexpr SubjectKind kinds[] = {
    {"scan", Primitive::scan, "random 32-bit words", make<Scan>},
    {"sort 32", Primitive::sort, "random 32-bit keys and values, all bits",
     make<Sort<std::uint32_t>>},
    {"sort 64", Primitive::sort, "random 64-bit keys and 32-bit values, all bits",
     make<Sort<std::uint64_t>>},
    {"bounds", Primitive::bounds, "random boxes", make<Bounds>},
    {"morton", Primitive::morton, "random boxes", make<Morton>},
    {"build", Primitive::build, "sorted 30-bit Morton codes of random boxes", make<Build>},
    {"refit", Primitive::refit, "the tree over them", make<Refit>},
    {"dedup", Primitive::dedup, "corners of a closed surface, six a vertex", make<Dedup>},
};

}  // namespace

double Subject::bytes(int row) const {
  return variants()[static_cast<std::size_t>(row)].bytes_per_item(key_bytes_, passes_) * n_;
}

std::span<const SubjectKind> subject_kinds() { return kinds; }

}  // namespace warpview::bench
