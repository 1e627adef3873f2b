#include "tests/step_views/page_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/step_views/page/strings.h"
#include "gpu/recording/bytes.h"

namespace warpview::test {
namespace {

const std::string page_name = "the page";
using Column = std::vector<std::int64_t>;

class PageReader {
 public:
  explicit PageReader(std::span<const std::uint8_t> data) : bytes_(data, page_name) {}

  ReadPage read() {
    if (in_->number() != 1) in_->refuse("another version");
    read_strings();
    read_tables();
    ReadPage page;
    page.steps.resize(in_->number() + 1);
    read_steps(page.steps);
    for (std::uint64_t widths = in_->number(); widths-- > 0;) {
      const auto width = static_cast<unsigned>(in_->number());
      std::vector<ReadView>& views = page.layouts[width];
      views.resize(in_->number());
      for (ReadView& view : views) {
        view.title = strings_.at(in_->number());
        view.legend = strings_.at(in_->number());
        // Its bytes can be skipped as a whole.
        ByteReader scene(in_->data(), page_name);
        ByteReader* const rest = std::exchange(in_, &scene);
        view.scene = read_scene(page.steps.size());
        if (!scene.at_end()) scene.refuse("more follows");
        in_ = rest;
      }
    }
    if (!in_->at_end()) in_->refuse("more follows");
    return page;
  }

  ReadScene read_alone(std::size_t steps) {
    read_strings();
    read_tables();
    ReadScene scene = read_scene(steps);
    if (!in_->at_end()) in_->refuse("more follows");
    return scene;
  }

 private:
  std::int64_t signed_number() { return static_cast<std::int64_t>(unzigzag(in_->number())); }
  Column column(std::size_t count) {
    Column values(count);
    std::int64_t last = 0;
    for (std::int64_t& value : values) value = last += signed_number();
    return values;
  }
  // With 0 for none.
  Column gaps(std::size_t count) {
    Column values(count);
    std::int64_t last = 0;
    for (std::int64_t& value : values)
      if (const std::uint64_t number = in_->number(); number != 0)
        value = last += static_cast<std::int64_t>(unzigzag(number - 1));
    return values;
  }
  Column numbers(std::size_t count) {
    Column values(count);
    for (std::int64_t& value : values) value = static_cast<std::int64_t>(in_->number());
    return values;
  }
  static std::size_t sum(const Column& counts) {
    std::size_t all = 0;
    for (const std::int64_t count : counts) all += static_cast<std::size_t>(count);
    return all;
  }
  const std::string& string(std::int64_t id) { return strings_.at(static_cast<std::size_t>(id)); }

  void read_strings() {
    std::vector<std::string> texts(in_->number());
    for (std::string& text : texts) text = in_->text();
    const Column of = numbers(in_->number());
    std::vector<std::size_t> counts(texts.size());
    for (const std::int64_t text : of) ++counts.at(static_cast<std::size_t>(text));
    std::vector<std::vector<Column>> holes(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (const char c : texts[i])
        if (c == step_views::Strings::hole) holes[i].push_back(column(counts[i]));
    std::vector<std::size_t> taken(texts.size());
    for (const std::int64_t id : of) {
      const auto text = static_cast<std::size_t>(id);
      std::string words;
      std::size_t hole = 0;
      for (const char c : texts[text]) {
        if (c == step_views::Strings::hole)
          words += std::to_string(holes[text][hole++][taken[text]]);
        else
          words += c;
      }
      ++taken[text];
      strings_.push_back(words);
    }
  }

  void read_tables() {
    styles_.resize(in_->number());
    for (auto& style : styles_) style = numbers(7);
    outlines_.resize(in_->number());
    for (Column& outline : outlines_) {
      outline.resize(2 * in_->number());
      for (std::int64_t& part : outline) part = signed_number();
    }
  }

  void read_steps(std::vector<ReadStep>& steps) {
    const std::size_t n = steps.size();
    const Column words = column(n), blocks = column(n), marks = column(n), counts = column(n);
    const Column names = column(sum(counts));
    const Column sizes = numbers(names.size());
    std::vector<Column> lines(in_->number());
    for (std::size_t k = 0; k < lines.size(); ++k)
      lines[k] = column(static_cast<std::size_t>(std::count_if(
          sizes.begin(), sizes.end(), [k](std::int64_t size) { return size > std::int64_t(k); })));
    const Column link_counts = column(n);
    const Column links = column(2 * sum(link_counts));
    const Column move_counts = column(n);
    const Column moves = column(2 * sum(move_counts));
    std::size_t name = 0, link = 0, move = 0;
    std::vector<std::size_t> taken(lines.size());
    for (std::size_t i = 0; i < n; ++i) {
      steps[i].words = string(words[i]);
      steps[i].block = static_cast<std::uint32_t>(blocks[i]);
      steps[i].mark = static_cast<std::uint32_t>(marks[i]);
      for (std::int64_t k = 0; k < counts[i]; ++k, ++name) {
        std::vector<std::string>& about = steps[i].abouts[string(names[name])];
        for (std::size_t j = 0; j < static_cast<std::size_t>(sizes[name]); ++j)
          about.push_back(string(lines.at(j).at(taken[j]++)));
      }
      for (std::int64_t k = 0; k < link_counts[i]; ++k, link += 2)
        steps[i].links.emplace_back(string(links[link]), string(links[link + 1]));
      for (std::int64_t k = 0; k < move_counts[i]; ++k, move += 2)
        steps[i].moves[string(moves[move])] =
            moves[move + 1] == 0 ? "" : string(moves[move + 1] - 1);
    }
  }

  ReadScene read_scene(std::size_t steps) {
    ReadScene scene{.height = static_cast<float>(in_->number()), .steps = {}};
    const std::size_t count = in_->number();
    std::array<Column, 6> columns;
    for (std::size_t i = 0; i < columns.size(); ++i)
      columns[i] = i < 4 ? column(count) : gaps(count);
    std::vector<PlotShape> shapes;
    for (std::size_t i = 0; i < count; ++i) shapes.push_back(shape_of(columns, i));
    const Column counts = numbers(steps);
    const Column edits = numbers(3 * sum(counts));
    std::vector<PlotShape> now;
    std::size_t at = 0;
    std::vector<std::size_t> added;
    std::size_t all = 0;
    for (std::size_t i = 2; i < edits.size(); i += 3) all += static_cast<std::size_t>(edits[i]);
    std::int64_t last = 0;
    for (std::size_t i = 0; i < all; ++i) {
      added.push_back(static_cast<std::size_t>(last += signed_number()));
      ++last;
    }
    std::size_t next_added = 0;
    for (const std::int64_t edits_here : counts) {
      std::vector<PlotShape> next;
      std::size_t from = 0;
      for (std::int64_t k = 0; k < edits_here; ++k, at += 3) {
        for (std::int64_t j = 0; j < edits[at]; ++j) next.push_back(now.at(from++));
        from += static_cast<std::size_t>(edits[at + 1]);
        for (std::int64_t j = 0; j < edits[at + 2]; ++j)
          next.push_back(shapes.at(added.at(next_added++)));
      }
      for (; from < now.size(); ++from) next.push_back(now[from]);
      scene.steps.push_back(now = std::move(next));
    }
    return scene;
  }

  PlotShape shape_of(const std::array<Column, 6>& columns, std::size_t i) {
    const Column& style = styles_.at(static_cast<std::size_t>(columns[0][i]));
    const Column& outline = outlines_.at(static_cast<std::size_t>(columns[1][i]));
    PlotShape shape{.kind = static_cast<PlotShape::Kind>(style[0]),
                    .ink = static_cast<int>(style[1]),
                    .opacity = static_cast<float>(style[2]) / 100.0F,
                    .width = static_cast<float>(style[3]) / 100.0F,
                    .line = static_cast<PlotLine>(style[4]),
                    .vertices = {},
                    .align = static_cast<PlotShape::Align>(style[5]),
                    .bold = style[6] != 0,
                    .words = columns[4][i] == 0 ? "" : string(columns[4][i] - 1),
                    .name = columns[5][i] == 0 ? "" : string(columns[5][i] - 1)};
    std::int64_t x = columns[2][i];
    std::int64_t y = columns[3][i];
    shape.vertices.push_back({0.1F * static_cast<float>(x), 0.1F * static_cast<float>(y)});
    for (std::size_t k = 0; k < outline.size(); k += 2) {
      x += outline[k];
      y += outline[k + 1];
      shape.vertices.push_back({0.1F * static_cast<float>(x), 0.1F * static_cast<float>(y)});
    }
    return shape;
  }

  ByteReader bytes_;
  ByteReader* in_ = &bytes_;  // the part that is read
  std::vector<std::string> strings_;
  std::vector<Column> styles_, outlines_;
};

}  // namespace

ReadScene read_scene(const step_views::ShapeTables& tables, const step_views::Scene& scene,
                     std::size_t steps) {
  ByteWriter bytes;
  tables.strings.write(bytes);
  tables.write(bytes);
  scene.write(bytes);
  return PageReader(bytes.bytes).read_alone(steps);
}

ReadPage read_page(std::span<const std::uint8_t> data) { return PageReader(data).read(); }

}  // namespace warpview::test
