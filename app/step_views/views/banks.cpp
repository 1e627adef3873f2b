// The banks of shared memory: the words that a step requests, and the turn that serves each.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/words.h"
#include "gpu/recording/instructions.h"

namespace warpview::step_views {
namespace {

// Words as the banks see them: by bank, and where each is served.
struct BankPicture {
  std::vector<ServedWord> served;
  BankCost cost;
};

BankPicture serve(const WarpInstruction& instruction) {
  BankPicture picture;
  picture.cost =
      serve_from_banks(instruction.lanes, instruction.bytes, is_atomic(instruction.kind),
                       most_banks, [&](const ServedWord& word) { picture.served.push_back(word); });
  return picture;
}

class Banks : public StepView {
 public:
  StepDrawing draw(const Playback& at, const StepFocus& /*focus*/,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    float y = 0.0F;
    for (const WarpInstruction& instruction : instructions_of(at.recording(), at.last()))
      if (instruction.memory == ArrayKind::shared)
        y = draw_instruction(sketch, surface, y, at, instruction);
    if (y == 0.0F) {
      sketch.text({0.0F, y}, "This step does not access shared memory.", plot_ink::dim);
      return sketch.take(plot_line_height);
    }
    y += draw_paragraph(sketch, surface, {0.0F, y},
                        "In a cell: the turn in which the bank serves the word, and below it the "
                        "lane that requests "
                        "the word (x4: four lanes).",
                        plot_ink::dim);
    return sketch.take(y);
  }

  std::string legend() const override {
    return "Each column is a bank of shared memory, which serves one word per turn. Cells are the "
           "words that this step requests. Two words in one bank are a bank conflict.";
  }

 private:
  static constexpr std::size_t most_rows = 16;
  static constexpr float cell_height = 2.5F;

  static std::string sentence(const WarpInstruction& instruction, const BankPicture& picture) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words;  // by bank, of the worst turn
    std::map<std::uint64_t, std::size_t> asked;              // by bank and group
    std::uint64_t worst = 0;
    std::size_t most = 0;
    for (const ServedWord& word : picture.served) {
      const std::uint64_t bank = word.word % most_banks;
      const std::size_t here = ++asked[bank << 32U | word.first_lane];
      words[bank].insert(word.word);
      if (here > most) {
        most = here;
        worst = bank;
      }
    }
    std::string turns = count_of(picture.cost.turns, "turn");
    if (picture.cost.degree <= 1)
      return picture.cost.turns <= 1
                 ? turns + ": no bank gets a request for more than one word."
                 : fmt::format(
                       "{} without a conflict: with {} bytes each, {} lanes are served "
                       "together.",
                       turns, instruction.bytes,
                       most_banks * bank_bytes / std::max(bank_bytes, instruction.bytes));
    if (is_atomic(instruction.kind) && words[worst].size() == 1)
      return fmt::format("{}: {} lanes change one word of bank {}.", turns, most, worst);
    return fmt::format("{}: bank {} gets requests for {} different words.", turns, worst,
                       is_atomic(instruction.kind) ? words[worst].size() : most);
  }

  static float draw_instruction(Sketch& sketch, const PlotSurface& surface, float y,
                                const Playback& at, const WarpInstruction& instruction) {
    const RecordedEvent& head = at.last().front();
    const BankPicture picture = serve(instruction);
    std::set<std::uint32_t> arrays;
    for (const LaneAccess& access : instruction.lanes)
      arrays.insert(WarpInstruction::array_of(access.address));
    std::string title =
        fmt::format("Block {}, warp {}: {} {}", head.block, head.thread / at.recording().warp_size,
                    count_of(instruction.lanes.size(), "lane"),
                    is_read(instruction.kind)     ? "read"
                    : is_atomic(instruction.kind) ? "change"
                                                  : "write");
    if (instruction.lanes.size() == 1) title += "s";
    for (const std::uint32_t array : arrays)
      title += (array == *arrays.begin() ? " " : ", ") + at.recording().arrays[array].name;
    y += draw_paragraph(sketch, surface, {0.0F, y}, title, plot_ink::text, true);
    y += draw_paragraph(sketch, surface, {0.0F, y}, sentence(instruction, picture));
    // Where 32 banks do not fit side by side, they lie in two halves.
    constexpr float narrowest = 1.5F;
    const float label = Sketch::width_of(surface, "00000") + 0.3F;
    const unsigned columns = (sketch.width() - label) / static_cast<float>(most_banks) >= narrowest
                                 ? most_banks
                                 : most_banks / 2;
    for (unsigned first = 0; first < most_banks; first += columns)
      y = draw_banks(sketch, surface, y + 0.2F, label, first, columns, at, instruction,
                     picture.served);
    return y + 0.4F;
  }

  static float draw_banks(Sketch& sketch, const PlotSurface& surface, float y, float label,
                          unsigned first, unsigned columns, const Playback& at,
                          const WarpInstruction& instruction,
                          const std::vector<ServedWord>& served) {
    const float side = std::min((sketch.width() - label) / static_cast<float>(columns), 2.4F);
    sketch.text({0.0F, y}, "bank", plot_ink::dim);
    // Numbers that would touch are left out.
    const unsigned each = side < Sketch::width_of(surface, "00") + 0.3F ? 2 : 1;
    for (unsigned i = 0; i < columns; i += each)
      sketch.text({label + side * (static_cast<float>(i) + 0.47F), y}, fmt::format("{}", first + i),
                  plot_ink::dim, PlotShape::Align::middle);
    y += plot_line_height;
    // Rows of words, and by word the turns in which it is served.
    std::map<std::uint64_t, std::map<std::uint64_t, std::vector<ServedWord>>> rows;
    for (const ServedWord& word : served) rows[word.word / most_banks][word.word].push_back(word);
    std::size_t drawn = 0;
    for (const auto& [row, words] : rows) {
      if (drawn++ == most_rows) {
        sketch.text({0.0F, y}, count_of(rows.size() - most_rows, "more row"), plot_ink::dim);
        return y + plot_line_height;
      }
      constexpr std::uint64_t in_array = 0xffffffffU;
      const std::uint64_t offset = row * most_banks * bank_bytes & in_array;
      sketch.text({label - 0.3F, y + 0.5F * (cell_height - plot_line_height)},
                  fmt::format("{}", offset / bank_bytes), plot_ink::dim, PlotShape::Align::right);
      for (unsigned i = 0; i < columns; ++i) {
        const PlotBox box{label + side * static_cast<float>(i), y, 0.94F * side,
                          cell_height - 0.15F};
        const auto found = words.find(row * most_banks + first + i);
        if (found == words.end())
          sketch.box(box, plot_ink::grid, 0.5F);
        else
          draw_word(sketch, surface, box, at, instruction, found->second);
      }
      y += cell_height;
    }
    return y;
  }

  static void draw_word(Sketch& sketch, const PlotSurface& surface, const PlotBox& box,
                        const Playback& at, const WarpInstruction& instruction,
                        const std::vector<ServedWord>& served) {
    const std::uint64_t address = served.front().word * bank_bytes;
    const std::uint32_t array = WarpInstruction::array_of(address);
    const RecordedArray& like = at.recording().arrays[array];
    const std::string name = word_name(
        {array, static_cast<std::uint32_t>(address) / like.element_bytes, at.last().front().block});
    std::vector<std::uint32_t> lanes;
    for (const LaneAccess& access : instruction.lanes)
      if (access.address < address + bank_bytes && address < access.address + instruction.bytes)
        lanes.push_back(access.lane);
    std::uint64_t last = 0;
    for (const ServedWord& word : served) last = std::max(last, word.turn);
    const std::uint64_t turn = served.front().turn;
    sketch.box(box, ink::bank_turn(turn), 1.0F, name);
    const PlotBox upper{box.x, box.y + 0.05F, box.width, 0.5F * box.height};
    const PlotBox lower{box.x, box.y + 0.5F * box.height - 0.05F, box.width, 0.5F * box.height};
    std::string turns = fmt::format("{}", turn + 1);
    if (last > turn) {
      turns += fmt::format("-{}", last + 1);
      if (Sketch::width_of(surface, turns) > box.width) turns = fmt::format("{}+", turn + 1);
    }
    sketch.text_in(upper, turns, plot_ink::paper, true).name = name;
    sketch
        .text_in(
            lower,
            lanes.size() == 1 ? fmt::format("{}", lanes.front()) : fmt::format("x{}", lanes.size()),
            plot_ink::paper)
        .name = name;
  }
};

}  // namespace

bool is_for_banks(const Recording& recording) {
  return std::any_of(
      recording.events.begin(), recording.events.end(), [&](const RecordedEvent& event) {
        return is_access(event.kind) && recording.arrays[event.subject].kind == ArrayKind::shared;
      });
}
std::unique_ptr<StepView> make_banks(const std::shared_ptr<const Recording>& /*recording*/) {
  return std::make_unique<Banks>();
}

}  // namespace warpview::step_views
