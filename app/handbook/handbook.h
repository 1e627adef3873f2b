// The pages of docs/ and their drawings, which are part of the program. A page of docs/primitives
// has its file's name, "scan.md"; others have their path, "docs/scenes/mesh.md".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/handbook/figure.h"
#include "app/handbook/page.h"
#include "gpu/catalogue.h"

namespace warpview {

// "scan.md" for the scan.
std::string page_name(Primitive primitive);
// The primitive that a page is about; none: it is about several, or there is no such page.
std::optional<Primitive> primitive_of_page(std::string_view page);
// "docs/scenes/mesh.md" for the scene "mesh".
std::string scene_page(std::string_view scene);
inline constexpr const char* glossary_page = "docs/glossary.md";
inline constexpr const char* window_page = "docs/using.md";
// Its path from the repository's root.
std::string file_of_page(std::string_view page);
// Is there such a page or drawing?
bool is_in_handbook(std::string_view file);

// Reads each file once, when it is first asked for.
class Handbook {
 public:
  // "scan.md". Null: the program has no such page, or it cannot be read; why_not() says why.
  const Page* page(const std::string& file);
  // "scan.svg", in whatever folder; null as above.
  const Figure* figure(const std::string& file);
  // Why the last page or drawing of that name is not there; empty: it is.
  std::string why_not(const std::string& file) const;

 private:
  std::map<std::string, std::optional<Page>> pages_;
  std::map<std::string, std::optional<Figure>> figures_;
  std::map<std::string, std::string> troubles_;
};

// Where a link of a page leads.
struct HandbookLink {
  enum class Kind { heading, page, source, file, web };
  Kind kind = Kind::file;
  std::string target{};  // a page's name, a file's path from the repository's root, an address
  std::string anchor{};  // of a heading or page; empty: its beginning
};
// `link` as that page has it: "#turns", "sort.md#passes", "../../gpu/block/tile.h".
HandbookLink resolved(std::string_view link, std::string_view page = "README.md");

}  // namespace warpview
