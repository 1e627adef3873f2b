// Welcome: what the program is, and a card for each scene and for a primitive at work. The gallery
// is the cards alone.
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/page_view.h"
#include "app/panels/parts.h"
#include "app/panels/plot_view.h"
#include "app/panels/widgets.h"
#include "app/played_run.h"

namespace warpview {
namespace {

using Form = WelcomeView::Form;

constexpr const char* what_it_is =
    "Warpview makes GPU programming primitives visible: prefix sum, sort, hashing, BVHs and more, "
    "each in several variants. Every scene is computed by them: switch the variant of a stage, and "
    "the picture stays while the time changes. In the laboratory you compare all variants on one "
    "input, read their code, and watch a run step by step.";

constexpr const char* primitive_title = "A primitive, step by step";
constexpr const char* primitive_words =
    "A prefix sum whose tiles look back at each other, recorded. Press Play.";
constexpr Primitive shown_primitive = Primitive::scan;
constexpr const char* shown_variant = "lookback";

// Sizes in ems.
constexpr float card_width = 13.2F;
constexpr float card_gap = 0.7F;
constexpr float card_inset = 0.5F;
constexpr float aspect = 1.6F;  // of the pictures

// Apart from the dialog that they lie on, with words that are read well on them.
constexpr Ink card_ground{{0x2c313a, 0xf0f2f5}};
constexpr Ink card_frame{{0x3a424e, 0xaab2bd}};

bool has_highlight() {
  return ImGui::IsItemFocused() && !ImGui::GetCurrentContext()->NavDisableHighlight;
}

struct Card {
  ImVec2 at{}, size{};
  ImVec2 picture_at{}, picture_size{};
  bool pressed = false;
  bool lit = false;  // under the mouse, or with the keyboard's focus
};

// The card's ground, title and words. Its picture is the caller's.
Card draw_card(const PanelState& state, const char* title, const char* words, bool is_open) {
  const float inset = card_inset * em();
  Card card{.at = ImGui::GetCursorScreenPos()};
  const float width = card_width * em();
  card.picture_size = {width - 2.0F * inset, std::round((width - 2.0F * inset) / aspect)};
  card.picture_at = {card.at.x + inset, card.at.y + inset};
  const ImFont* const small = state.fonts.small != nullptr ? state.fonts.small : ImGui::GetFont();
  const float small_size = small->FontSize * ImGui::GetIO().FontGlobalScale;
  const float words_at = card.picture_size.y + 1.5F * inset + 1.25F * em();
  card.size = {width, std::ceil(words_at + 3.0F * 1.15F * small_size + inset)};
  card.pressed = ui::invisible_button(title, card.size, "card");
  ui::note_about(words);
  const bool hovered = ImGui::IsItemHovered();
  card.lit = hovered || has_highlight();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const ImVec2 corner{card.at.x + card.size.x, card.at.y + card.size.y};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = 0.4F * em();
  list.AddRectFilled(card.at, corner, card_ground, rounding);
  if (card.lit)
    list.AddRect(card.at, corner, colour::accent, rounding, ImDrawFlags_None, 0.15F * em());
  else
    list.AddRect(card.at, corner, card_frame, rounding);
  const ImFont* const bold = state.fonts.bold != nullptr ? state.fonts.bold : ImGui::GetFont();
  list.AddText(bold, bold->FontSize * ImGui::GetIO().FontGlobalScale,
               {card.picture_at.x, card.picture_at.y + card.picture_size.y + 0.5F * inset},
               is_open ? colour::accent : colour::text, title);
  list.AddText(small, small_size, {card.picture_at.x, card.at.y + words_at}, colour::dim, words,
               nullptr, card.picture_size.x);
  return card;
}

// Around the picture, whose edges may have the ground's colour.
void draw_frame(const Card& card) {
  ImGui::GetWindowDrawList()->AddRect({card.picture_at.x - 1.0F, card.picture_at.y - 1.0F},
                                      {card.picture_at.x + card.picture_size.x + 1.0F,
                                       card.picture_at.y + card.picture_size.y + 1.0F},
                                      card_frame);
}

void draw_placeholder(const Card& card) {
  constexpr const char* words = "...";
  const ImVec2 size = ImGui::CalcTextSize(words);
  ImGui::GetWindowDrawList()->AddText({card.picture_at.x + 0.5F * (card.picture_size.x - size.x),
                                       card.picture_at.y + 0.5F * (card.picture_size.y - size.y)},
                                      colour::dim, words);
}

void draw_picture(const Card& card, const CardPicture& picture) {
  const float shape = static_cast<float>(picture.width) / static_cast<float>(picture.height);
  const float width = std::min(card.picture_size.x, card.picture_size.y * shape);
  const float x = card.picture_at.x + 0.5F * (card.picture_size.x - width);
  ImGui::GetWindowDrawList()->AddImage(picture.texture, {x, card.picture_at.y},
                                       {x + width, card.picture_at.y + width / shape});
}

void draw_scene_card(const SceneKind& kind, Model& model, PanelState& state) {
  const bool is_open = model.scene_kind == &kind;
  const Card card = draw_card(state, kind.title, kind.invitation, is_open);
  const auto picture = state.welcome.pictures.find(kind.name);
  if (picture == state.welcome.pictures.end())
    draw_placeholder(card);
  else
    draw_picture(card, picture->second);
  draw_frame(card);
  if (!card.pressed) return;
  state.welcome.form = Form::closed;
  state.show_lab = false;
  if (!is_open) open_in_scene(kind, model, state);
}

// Scales the shapes that stand for something in the run, and those over them, to the picture's
// width; the picture's lower edge cuts what is higher. Words and legends are left out: a card has
// no room to read them.
std::vector<PlotShape> fitted(std::vector<PlotShape> shapes, ImVec2 size) {
  constexpr float far = 1e9F;
  ImVec2 low{far, far};
  ImVec2 high{-far, -far};
  for (const PlotShape& shape : shapes) {
    if (shape.name.empty() || shape.kind == PlotShape::Kind::text) continue;
    for (const PlotVertex& each : shape.vertices) {
      low = {std::min(low.x, each.x), std::min(low.y, each.y)};
      high = {std::max(high.x, each.x), std::max(high.y, each.y)};
    }
  }
  const auto is_outside = [low](const PlotVertex& each) { return each.y < low.y; };
  std::erase_if(shapes, [&](const PlotShape& shape) {
    return shape.kind == PlotShape::Kind::text ||
           std::any_of(shape.vertices.begin(), shape.vertices.end(), is_outside);
  });
  const float width = std::max(high.x - low.x, 1.0F);
  const float height = std::max(high.y - low.y, 1.0F);
  const float scale = size.x / width;
  const ImVec2 corner{0.5F * (size.x - scale * width),
                      std::max(0.5F * (size.y - scale * height), 0.0F)};
  for (PlotShape& shape : shapes) {
    shape.width *= scale;
    for (PlotVertex& each : shape.vertices)
      each = {corner.x + scale * (each.x - low.x), corner.y + scale * (each.y - low.y)};
  }
  return shapes;
}

// The recorded run in its first view. It plays while the card is lit.
void draw_run(const Card& card, PanelState& state) {
  constexpr double rest = 0.55;  // of the run: where it stands
  constexpr double seconds = 6.0;
  constexpr float laid_out = 20.0F;  // ems: the width that the view has room in
  PlayedRun& run = *state.welcome.run;
  if (run.views.empty()) return draw_placeholder(card);
  double& position = state.welcome.position;
  position = card.lit ? position + double{ImGui::GetIO().DeltaTime} / seconds : rest;
  if (position > 1.0) position = 0.0;
  state.animates |= card.lit;
  const std::size_t last = run.playback.steps();
  run.playback.seek(std::min(static_cast<std::size_t>(position * static_cast<double>(last)), last));
  const PlotSurface surface{
      .width = laid_out * em(),
      .height = laid_out * em() / aspect,
      .em = em(),
      .text_width = [](std::string_view words) {
        return ImGui::CalcTextSize(words.data(), words.data() + words.size()).x;
      }};
  const StepDrawing drawing = run.views.front().view->draw(run.playback, {}, surface);
  draw_shapes(*ImGui::GetWindowDrawList(), fitted(drawing.shapes, card.picture_size),
              card.picture_at, state.fonts, em(), theme_in_use());
}

// Until there is a recording: the drawing of the primitive's page.
void draw_drawing(const Card& card, PanelState& state) {
  const Page* const page = state.handbook.page(page_name(shown_primitive));
  const Figure* const figure =
      page != nullptr ? state.handbook.figure(page->first_drawing()) : nullptr;
  if (figure == nullptr) return draw_placeholder(card);
  const ImVec2 cursor = ImGui::GetCursorPos();
  ImGui::SetCursorScreenPos(card.picture_at);
  draw_figure(*figure, state.fonts, card.picture_size.x);
  ImGui::SetCursorPos(cursor);
}

void draw_primitive_card(Model& model, PanelState& state) {
  const Card card = draw_card(state, primitive_title, primitive_words, false);
  ImGui::PushClipRect(
      card.picture_at,
      {card.picture_at.x + card.picture_size.x, card.picture_at.y + card.picture_size.y}, true);
  if (state.welcome.run)
    draw_run(card, state);
  else
    draw_drawing(card, state);
  ImGui::PopClipRect();
  draw_frame(card);
  if (!card.pressed) return;
  state.welcome.form = Form::closed;
  open_laboratory(model, state, shown_primitive, find_variant(shown_primitive, shown_variant),
                  LabTask::steps);
  if (const std::string why = lab_misses(model, shown_primitive); !why.empty())
    return model.say({Message::Kind::info, why});
  state.lab.steps.asked = true;
  state.lab.steps.comparison.reset();
}

void draw_cards(Model& model, PanelState& state, std::size_t columns) {
  std::size_t place = 0;
  const auto next = [&] {
    if (place++ % columns != 0) ImGui::SameLine(0.0F, card_gap * em());
  };
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                      ImVec2(ImGui::GetStyle().ItemSpacing.x, card_gap * em()));
  for (const SceneKind& kind : scene_kinds()) {
    next();
    draw_scene_card(kind, model, state);
  }
  next();
  draw_primitive_card(model, state);
  ImGui::PopStyleVar();
}

void draw_actions(Model& model, PanelState& state) {
  WelcomeView& view = state.welcome;
  const ImVec2 size{9.0F * em(), 0.0F};
  ImGui::PushStyleColor(ImGuiCol_Button, colour::chosen);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour::chosen_hovered);
  if (ui::button("Take the tour", size)) run_command(Command::tour, model, state);
  ImGui::PopStyleColor(2);
  ImGui::SameLine();
  if (ui::button("Open a file", size)) {
    view.form = Form::closed;
    run_command(Command::open_file, model, state);
  }
  ImGui::SameLine();
  if (ui::checkbox("Show at start", &state.settings.welcome_at_start))
    state.settings_changed = true;
}

bool wants_to_close() {
  const ImVec2 from = ImGui::GetWindowPos();
  const ImVec2 to{from.x + ImGui::GetWindowWidth(), from.y + ImGui::GetWindowHeight()};
  const bool outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && ImGui::IsMousePosValid() &&
                       !ImGui::IsMouseHoveringRect(from, to, false);
  return outside || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
}

}  // namespace

void draw_welcome(Model& model, PanelState& state) {
  WelcomeView& view = state.welcome;
  const Form before = std::exchange(view.shown, view.form);
  if (view.form == Form::closed) return;
  const bool is_gallery = view.form == Form::gallery;
  const char* const title = is_gallery ? "Gallery" : "Welcome";
  if (before != view.form) ImGui::OpenPopup(title);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float padding = 2.0F * ImGui::GetStyle().WindowPadding.x + ImGui::GetStyle().ScrollbarSize;
  const float each = (card_width + card_gap) * em();
  constexpr float most_columns = 5.0F;
  const float columns = std::clamp(
      std::floor((0.96F * display.x - padding + card_gap * em()) / each), 1.0F, most_columns);
  const float width = columns * each - card_gap * em() + padding;
  ImGui::SetNextWindowPos({0.5F * display.x, 0.5F * display.y}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({width, 0.0F}, {width, 0.96F * display.y});
  bool open = true;
  if (!ImGui::BeginPopupModal(title, &open,
                              ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoResize |
                                  ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize)) {
    view.form = Form::closed;
    return;
  }
  if (!is_gallery) {
    ImGui::PushTextWrapPos(width - padding);
    text(what_it_is);
    ImGui::PopTextWrapPos();
    ImGui::Dummy({0.0F, 0.1F * em()});
    draw_actions(model, state);
    ImGui::Dummy({0.0F, 0.3F * em()});
  }
  draw_cards(model, state, static_cast<std::size_t>(columns));
  if (!open || wants_to_close()) view.form = Form::closed;
  if (view.form == Form::closed) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace warpview
