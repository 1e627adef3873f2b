// The laboratory's About tab: pages of the handbook, and where their links lead.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include "app/panels/page_view.h"
#include "handbook_file.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

class AboutTab : public PanelTest {
 protected:
  AboutTab() {
    model_ = loaded_model();
    model_.lab.question = {.primitive = Primitive::scan};
    model_.lab.most_items = 1U << 20U;
    state_.show_lab = true;
    state_.lab.open = LabTask::about;
    frames(4);
  }
  // The part that scrolls.
  ImGuiWindow* page() const {
    for (ImGuiWindow* each : context_->Windows)
      if (std::string(each->Name).find("/page_") != std::string::npos && each->Active) return each;
    return nullptr;
  }
  // Scrolls until the link can be seen, and clicks it.
  void follow(const std::string& words) {
    const auto is_it = [&](const ui::WidgetRecord& each) {
      return std::string(each.kind) == "link" && each.name == words && each.visible;
    };
    for (float y = 0.0F; y <= page()->ScrollMax.y; y += 200.0F) {
      page()->Scroll.y = y;
      frames(2);
      const auto all = widgets();
      const auto found = std::find_if(all.begin(), all.end(), is_it);
      if (found == all.end() || found->to.y > page()->Rect().Max.y - 20.0F) continue;
      ImGui::GetIO().MousePos = {0.5F * (found->from.x + found->to.x),
                                 0.5F * (found->from.y + found->to.y)};
      frames(2);
      click_here();
      frames(3);
      return;
    }
    ADD_FAILURE() << words << " is no link";
  }
};

TEST_F(AboutTab, ShowsThePrimitivesPage) {
  EXPECT_TRUE(can_read("Prefix sum"));
  EXPECT_TRUE(can_read("Each item becomes the sum of all items before it"));
  EXPECT_TRUE(can_read("What moves through memory")) << "of its drawing";
  EXPECT_GT(page()->ScrollMax.y, 1000.0F);
  model_.lab.question.primitive = Primitive::sort;
  frames(3);
  EXPECT_EQ(state_.lab.about.page, "sort.md");
  EXPECT_FALSE(can_read("Prefix sum"));
}

TEST_F(AboutTab, LinksToPagesChooseTheirPrimitive) {
  page()->Scroll.y = 0.0F;
  follow("reduce by key");
  EXPECT_EQ(model_.lab.question.primitive, Primitive::reduce_by_key);
  EXPECT_EQ(state_.lab.front, LabTask::about);
  EXPECT_EQ(state_.lab.about.page, "reduce_by_key.md");
  EXPECT_EQ(page()->Scroll.y, 0.0F);
  click("Laboratory", "Back");
  frames(3);
  EXPECT_EQ(model_.lab.question.primitive, Primitive::scan);
  EXPECT_GT(page()->Scroll.y, 500.0F) << "where it was left";
  EXPECT_FALSE(find("Laboratory", "Back")->enabled);
  click("Laboratory", "All primitives");
  frames(3);
  EXPECT_EQ(state_.lab.about.page, "README.md");
  EXPECT_EQ(model_.lab.question.primitive, Primitive::scan) << "it is of none";
  EXPECT_FALSE(find("Laboratory", "All primitives")->enabled);
}

TEST_F(AboutTab, PagesAreShownThoughTheLaboratoryIsBusy) {
  model_.lab.state = LabModel::State::measuring;
  model_.lab.variant = default_variant(Primitive::scan, Backend::cpu);
  follow("select");
  EXPECT_EQ(state_.lab.about.page, "select.md");
  EXPECT_EQ(model_.lab.question.primitive, Primitive::scan) << "it is being answered";
  frames(3);
  EXPECT_EQ(state_.lab.about.page, "select.md") << "it stays";
}

TEST_F(AboutTab, LinksToSourcesOpenTheCodeTab) {
  follow("waterfall");
  frames(2);
  EXPECT_EQ(state_.lab.front, LabTask::code);
  EXPECT_STREQ((*state_.lab.variant)->name, "waterfall");
  EXPECT_EQ(state_.lab.file, "gpu/primitives/scan/waterfall.cu");
  state_.lab.open = LabTask::about;
  frames(3);
  follow("lookback.h");
  frames(2);
  EXPECT_EQ(state_.lab.front, LabTask::code);
  EXPECT_EQ(state_.lab.file, "gpu/block/lookback.h");
  EXPECT_EQ((*state_.lab.variant)->primitive, Primitive::scan);
}

TEST_F(AboutTab, OtherFilesOpenInTheEditor) {
  model_.lab.question.primitive = Primitive::schedule;
  state_.settings.editor = "some-editor {file}";
  frames(3);
  std::string words;
  for (const PageLayout::Words& each : state_.lab.about.view.layout.words)
    if (each.link >= 0 &&
        resolved(state_.lab.about.view.layout.links.at(static_cast<std::size_t>(each.link))).kind ==
            HandbookLink::Kind::file)
      words = each.text;
  ASSERT_FALSE(words.empty());
  follow(words);
  const request::EditFile* const asked = model_.requests.find<request::EditFile>();
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->command, "some-editor {file}");
  EXPECT_TRUE(std::filesystem::exists(asked->file));
}

TEST_F(AboutTab, SaysWhatIsMissing) {
  state_.lab.about.page = "none.md";
  frames(3);
  EXPECT_TRUE(can_read("The program has no none.md."));
  state_.lab.about.page = "scan.svg";
  frames(3);
}

TEST_F(AboutTab, EveryPageInWindowsOfEverySize) {
  for (const std::string_view name : handbook_file_names()) {
    if (!name.ends_with(".md")) continue;
    state_.lab.about.page = name;
    for (const auto& [width, height] : {std::pair{1, 1}, {300, 200}, {1280, 800}}) {
      set_size(width, height);
      frames(2);
    }
    EXPECT_EQ(window("Laboratory")->ScrollMax.x, 0.0F) << name;
    EXPECT_EQ(window("Laboratory")->ScrollMax.y, 0.0F) << name;
  }
}

// The smallest fill around a place; none: there is none but the paper.
std::optional<PlotBox> box_around(const Figure& figure, PlotVertex place) {
  std::optional<PlotBox> smallest;
  for (const FigureShape& shape : figure.shapes) {
    if (shape.kind != FigureShape::Kind::fill || shape.vertices.size() < 4) continue;
    const auto [left, right] =
        std::minmax_element(shape.vertices.begin(), shape.vertices.end(),
                            [](const PlotVertex& a, const PlotVertex& b) { return a.x < b.x; });
    const auto [top, bottom] =
        std::minmax_element(shape.vertices.begin(), shape.vertices.end(),
                            [](const PlotVertex& a, const PlotVertex& b) { return a.y < b.y; });
    const PlotBox box{left->x, top->y, right->x - left->x, bottom->y - top->y};
    if (box.contains(place) && box.width < 0.95F * figure.width &&
        (!smallest || box.width * box.height < smallest->width * smallest->height))
      smallest = box;
  }
  return smallest;
}

// The drawings are made for another font: in the panels' their words stay in their boxes and on the
// paper.
TEST_F(AboutTab, WordsOfDrawingsStayInTheirBoxes) {
  std::size_t boxed = 0;
  for (const std::string_view name : handbook_file_names()) {
    if (!name.ends_with(".svg")) continue;
    const Figure* const figure = state_.handbook.figure(std::string(name));
    ASSERT_NE(figure, nullptr) << name;
    for (const FigureShape& shape : figure->shapes) {
      if (shape.kind != FigureShape::Kind::words || shape.is_upwards) continue;
      const auto [from, to] = extent_of(shape, state_.fonts, 1.0F);
      EXPECT_GE(from, 0.0F) << name << ": " << shape.words;
      EXPECT_LE(to, figure->width) << name << ": " << shape.words;
      const PlotVertex at = shape.vertices.front();
      const auto box = box_around(*figure, {at.x, at.y - 0.3F * shape.size});
      if (!box || std::abs(box->x + 0.5F * box->width - at.x) > 1.0F) continue;
      ++boxed;
      EXPECT_GE(from, box->x - 1.0F) << name << ": " << shape.words;
      EXPECT_LE(to, box->right() + 1.0F) << name << ": " << shape.words;
    }
  }
  EXPECT_GT(boxed, 1000U);
}

}  // namespace
}  // namespace warpview
