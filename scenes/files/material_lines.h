// The lines of an MTL file, as the materials that are wanted have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "scenes/files/load_control.h"
#include "scenes/files/text_lines.h"
#include "scenes/files/texture_statement.h"
#include "scenes/files/warnings.h"

namespace warpview {

// What material files say and is not drawn, and what they do not say as they should.
struct MaterialTroubles {
  Trouble bad_lines, unknown_lines;
  Trouble transparent, filters, optics, models, finishes;  // materials
  Trouble maps, map_options;

  void warn(Warnings& warnings) const;
};

// What a material says that the parser behind MaterialLines is not given or does not tell.
struct MaterialStatements {
  bool has_diffuse = false;
  Optics optics;
  TextureStatement texture;  // of map_Kd
};

// Lets through the names, colours and exponents of the materials that are wanted, each name's
// first. Checks their numbers, which the parser would take as 0. Reads textures itself, and notes
// what is not drawn.
class MaterialLines : public TextLines {
 public:
  // `wanted` are names; those that are found are taken out. Error when their materials need more
  // than `memory` bytes.
  MaterialLines(InputFile file, LoadControl& control, std::unordered_set<std::string>& wanted,
                std::uint64_t memory, MaterialTroubles& troubles);

  // Called at the end of the file.
  void finish() { end_material(); }
  bool defines_materials() const { return defines_materials_; }
  // Statements of the material let through as number `material`.
  MaterialStatements& statements(std::size_t material) { return materials_[material]; }

 private:
  // What is gathered of a material until its end.
  struct Undrawn {
    std::optional<float> opacity, transparency;  // of d and Tr
    std::optional<float> index;                  // of Ni
    float model = 2.0F;
    bool is_halo = false;
    std::string filter;  // Tf or Kt where it filters
    std::string finishes;
    std::string ambient;  // the file of map_Ka
  };

  bool accept(std::string_view& line) override;
  bool begin(std::string_view material);
  void end_material();
  void end_optics(const Undrawn& undrawn);
  // Reads a statement of a wanted material; true where the parser is to see it.
  bool read(std::string_view keyword, std::string_view rest);
  bool check_numbers(std::string_view rest, int count);
  void read_map(std::string_view keyword, std::string_view rest);
  void read_number(std::string_view rest, std::optional<float>& into);
  void read_filter(std::string_view rest, std::string_view keyword);
  void read_model(std::string_view rest);
  void read_finish(std::string_view keyword, std::string_view rest);
  std::string quoted_name() const;

  std::unordered_set<std::string>& wanted_;
  const std::uint64_t memory_;
  MaterialTroubles& troubles_;
  bool defines_materials_ = false;
  bool is_wanted_ = false;  // is the material whose lines these are?
  std::string name_;        // of that material
  Undrawn undrawn_;
  std::vector<MaterialStatements> materials_;
};

}  // namespace warpview
