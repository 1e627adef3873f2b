// Pages of the handbook and their drawings, drawn by ImGui.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <utility>

#include "app/handbook/handbook.h"
#include "app/handbook/page_layout.h"
#include "app/panels/style.h"

namespace warpview {

// A page as it was laid out last.
struct PageView {
  const Page* page = nullptr;
  float width = 0.0F;
  float em = 0.0F;
  PageLayout layout{};
};

// Draws the page of that name in the current window, from the cursor on. Lines are as wide as
// `width` at most; the cursor is then below it. Returns the link that was clicked, as the page has
// it; none: none was.
std::optional<std::string> draw_page(PageView& view, const Page& page, const std::string& name,
                                     Handbook& handbook, const Fonts& fonts, float width);

// Draws some words in lines, from the cursor on.
void draw_words(const PageWords& words, const Fonts& fonts, float width, ImU32 colour);

// Draws a drawing in the current window, from the cursor on, at the size of the page's letters or
// as wide as there is room.
void draw_figure(const Figure& figure, const Fonts& fonts, float width);

// Where words of a drawing begin and end, from its left edge, at a scale.
std::pair<float, float> extent_of(const FigureShape& words, const Fonts& fonts, float scale);

// The surface of ImGui's fonts. Drawings are the handbook's; null: there are none.
PageSurface page_surface(const Fonts& fonts, float width, Handbook* handbook);

}  // namespace warpview
