// Font files as ImGui takes them. It believes what they say: a wrong offset in one is read from, or
// ends the program. So files of the machine are looked at first.
#pragma once

#include <imgui.h>

#include <string_view>

namespace warpview {

// Can ImGui be given a face (its number in the file) of a font file? It must be there, and with it
// all tables that letters are drawn from, inside the file and as large as their counts say. What
// the outlines themselves say is not looked at, nor is a web font unpacked.
bool can_be_read(std::string_view file, int face);

// Does a face that can be read have a glyph for the letter?
bool has_glyph(std::string_view file, int face, ImWchar letter);

// Adds a font to the atlas, or to the font that was added last if `config` says so. `letters` are
// ImGui's ranges. Nothing is copied: `file` and `letters` must stay until the atlas is built or
// cleared.
ImFont* add_font(ImFontAtlas& atlas, std::string_view file, float pixels,
                 const ImFontConfig& config, const ImWchar* letters);

}  // namespace warpview
