// Help > About: which program this is, its licence, and the work of others that is part of it.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "about_file.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// What is in front of `mark`, which is taken away with it.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view piece = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return piece;
}

// packaging/parts.txt: name, licence and use, with tabs between, one part a line.
void draw_parts(std::string_view parts) {
  if (!ImGui::BeginTable("parts", 3)) return;
  for (const float share : {0.38F, 0.34F, 0.28F})
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, share);
  while (!parts.empty()) {
    std::string_view line = take_until(parts, '\n');
    ImGui::TableNextRow();
    for (const ImU32 c : {colour::text, colour::dim, colour::dim}) {
      ImGui::TableNextColumn();
      paragraph(c, take_until(line, '\t'));
    }
  }
  ImGui::EndTable();
}

// The licence's lines are broken for a terminal: those of a paragraph become one.
void draw_licence(std::string_view licence) {
  std::string words;
  while (!licence.empty()) {
    const std::string_view line = take_until(licence, '\n');
    if (!line.empty()) words += (words.empty() ? "" : " ") + std::string(line);
    if ((line.empty() || licence.empty()) && !words.empty())
      paragraph(colour::dim, std::exchange(words, {}));
  }
}

}  // namespace

void draw_about(PanelState& state) {
  if (!state.show_about) return;
  if (begin_centred("About", &state.show_about, 34.0F, 0.9F)) {
    scroll_by_keys("##page");
    section(state.fonts, "Warpview " WARPVIEW_VERSION);
    draw_licence(about_file("LICENSE"));
    section(state.fonts, "Third-party parts");
    draw_parts(about_file("parts.txt"));
  }
  ImGui::End();
}

}  // namespace warpview
