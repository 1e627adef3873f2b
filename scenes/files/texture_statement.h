// What an MTL file says of a texture: `map_Kd -s 2 2 -clamp on wood.png`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/files/mesh.h"

namespace warpview {

// Numbers that an option may leave out have MTL's defaults, 0 for `-o` and 1 for `-s`. A number is
// an option's only if something stands behind it: the last word is the file's name.
struct TextureStatement {
  // What stands behind the options: a name, perhaps in quotes or with blanks in it, and perhaps a
  // comment. See names_in(). Empty: the statement names no file.
  std::string file;
  TexturePlacement placement;
  // Options that ask for something that is not drawn, each once: "-t", "-mm".
  std::vector<std::string> undrawn_options;
  bool lacks_values = false;  // an option lacks its values, or a number has no finite value
};

// `rest` is what stands behind the keyword.
TextureStatement read_texture_statement(std::string_view rest);

// The names of files that the end of a line may mean, in the order in which to look for them: what
// is in quotes; else the whole text, and what precedes a comment that it may hold. None is empty.
std::vector<std::string> names_in(std::string_view text);

// Cuts a name that is in quotes, or a word, off the front of `text`; empty at its end and where a
// comment begins.
std::string_view next_name(std::string_view& text);

}  // namespace warpview
