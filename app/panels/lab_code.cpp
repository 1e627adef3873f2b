// The laboratory's Code tab: one variant's file.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/common/program_files.h"
#include "app/common/source_files.h"
#include "app/panels/format.h"
#include "app/panels/lab_kernels.h"
#include "app/panels/named_widgets.h"
#include "app/panels/parts.h"
#include "app/panels/variant_names.h"
#include "app/panels/widgets.h"
#include "kernel_source.h"

namespace warpview {
namespace {

bool is_embedded(std::string_view name) {
  const auto names = kernel_source_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

const lab::Answer* answer_of(const LabModel& lab, VariantId variant) {
  for (const lab::Answer& answer : lab.shown(LabTask::code).answers)
    if (answer.variant == variant) return &answer;
  return nullptr;
}

void draw_variants(const Model& model, PanelState& state, const Variant& variant, float width) {
  LabView& view = state.lab;
  if (!begin_combo("##variant", variant.title, width)) return;
  for (const VariantId each : variants_of(model.lab.question.primitive))
    if (variant_choice(state.fonts, *each, each == view.variant)) view.variant = each;
  end_combo();
}

// Shows another file; Back leads to the one that is shown now.
void follow(LabView& view, const std::string& file) {
  constexpr std::size_t most = 100;
  if (file == view.file) return;
  if (view.trail.size() == most) view.trail.erase(view.trail.begin());
  view.trail.push_back({view.file, view.code_view.top});
  view.file = file;
}

void draw_files(const PanelState& state, LabView& view, float width) {
  if (!begin_combo("##file", view.file.c_str(), width)) return;
  const std::string before = view.file;
  for (const std::string& file : view.files) {
    if (ui::selectable(file.c_str(), file == before)) follow(view, file);
    if (file == view.files.front() && view.files.size() > 1) {
      const FontScope small(state.fonts.small);
      coloured_text(colour::dim, "Source files");
    }
  }
  end_combo();
}

void show_line(LabView& view, int line) { view.code_view.scroll_to = view.code_view.marked = line; }

// The kernels of the PTX or SASS that is shown.
void draw_entries(LabView& view) {
  if (view.entries.empty()) return;
  const auto chosen =
      std::find_if(view.entries.begin(), view.entries.end(),
                   [&view](const PtxEntry& entry) { return entry.line == view.code_view.marked; });
  const char* const preview = chosen == view.entries.end() ? "its kernels" : chosen->name.c_str();
  if (!begin_combo("##entry", preview, ImGui::GetContentRegionAvail().x)) return;
  for (std::size_t i = 0; i < view.entries.size(); ++i) {
    const PtxEntry& entry = view.entries[i];
    ImGui::PushID(static_cast<int>(i));
    if (ui::selectable(entry.name.c_str(), entry.line == view.code_view.marked))
      show_line(view, entry.line);
    ImGui::PopID();
  }
  end_combo();
}

// Where what is shown lies on disk; empty where the sources did not come along.
std::string file_on_disk(const LabView& view) {
  static const std::filesystem::path sources = sources_folder();
  std::error_code error;
  if (sources.empty() || !std::filesystem::exists(sources / view.file, error)) return {};
  return (sources / view.file).string();
}

// The line that one looks at, from 1.
int line_looked_at(const LabView& view) {
  const CodeView& in = view.code_view;
  const int line = in.cursor > 0    ? line_and_column(view.code, in.cursor).first
                   : in.marked >= 0 ? in.marked
                                    : in.top;
  return std::max(line, 0) + 1;
}

void draw_editor_choice(PanelState& state) {
  if (!ImGui::BeginPopupContextItem("editor")) return;
  text("The command that opens a file, with placeholders {file} and {line}.");
  ImGui::SetNextItemWidth(24.0F * em());
  if (ui::text_field("##command", &state.settings.editor, ImGuiInputTextFlags_None,
                     "code -g {file}:{line}"))
    state.settings_changed = true;
  ImGui::EndPopup();
}

void draw_editor_button(Model& model, PanelState& state) {
  const std::string file = file_on_disk(state.lab);
  ImGui::BeginDisabled(file.empty());
  if (ui::button("Open in editor"))
    model.requests.add(request::EditFile{file, line_looked_at(state.lab), state.settings.editor});
  ImGui::EndDisabled();
  const std::array about = {
      file.empty() ? std::string("The program was installed without its sources.") : file,
      std::string("Right-click to set the editor.")};
  tooltip(state.fonts, "Open in editor", about);
  draw_editor_choice(state);
}

void draw_back(LabView& view) {
  ImGui::BeginDisabled(view.trail.empty());
  const bool by_mouse = !view.trail.empty() && ImGui::IsMouseClicked(3) &&
                        ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  if (ui::button("Back") || by_mouse) {
    const LabView::Place place = view.trail.back();
    view.trail.pop_back();
    view.file = place.file;
    view.back_to = place.top;
  }
  ImGui::EndDisabled();
}

void draw_choices(Model& model, PanelState& state, const Variant& variant) {
  static constexpr std::array kinds = {"Source", "PTX", "SASS"};
  LabView& view = state.lab;
  const float width = ImGui::GetContentRegionAvail().x;
  const float gap = 0.5F * em();
  draw_variants(model, state, variant, 0.22F * width);
  ImGui::SameLine(0.0F, gap);
  int kind = static_cast<int>(view.kind);
  if (segments("kind", kinds, kind, 0.22F * width)) view.kind = static_cast<Listing>(kind);
  ImGui::SameLine(0.0F, gap);
  if (view.kind != Listing::source) {
    if (view.entries.empty())
      ImGui::NewLine();  // else what comes next would stand here
    else
      draw_entries(view);
    return;
  }
  const float padding = 2.0F * ImGui::GetStyle().FramePadding.x;
  const float back = ImGui::CalcTextSize("Back").x + padding;
  const float edit = ImGui::CalcTextSize("Open in editor").x + padding;
  draw_files(state, view, ImGui::GetContentRegionAvail().x - back - edit - 2.0F * gap);
  ImGui::SameLine(0.0F, gap);
  draw_back(view);
  ImGui::SameLine(0.0F, gap);
  draw_editor_button(model, state);
}

bool is_of(const PtxEntry& entry, const LaunchRecord& record) {
  // Where the device tells no symbol, any instance of the kernel will do.
  return record.symbol.empty() ? bare_name(entry.name) == bare_name(record.kernel)
                               : same_symbol(entry.symbol, record.symbol);
}

// Makes what is to be shown, if that has changed.
void refresh(Model& model, LabView& view, const Variant& variant, const lab::Answer* answer);

// Brings a kernel that was launched into view: in whichever of the files it is, or in the PTX that
// is shown.
void show_kernel(Model& model, LabView& view, const lab::Answer& answer,
                 const LaunchRecord& record) {
  if (view.kind == Listing::source) {
    const auto place = find_kernel(view.files, record.kernel);
    if (!place) return;
    follow(view, place->file);
    refresh(model, view, **view.variant, &answer);
    show_line(view, place->line);
    return;
  }
  const auto entry = std::find_if(view.entries.begin(), view.entries.end(),
                                  [&record](const PtxEntry& each) { return is_of(each, record); });
  if (entry != view.entries.end()) show_line(view, entry->line);
}

// Places of files of the program that the source includes.
void add_links(Code& code) {
  constexpr std::string_view include = "#include \"";
  const std::string_view text = code.text;
  for (const Code::Line& line : code.lines) {
    const std::string_view words = text.substr(line.begin, line.end - line.begin);
    if (!words.starts_with(include)) continue;
    const std::string_view name =
        words.substr(include.size(), words.find('"', include.size()) - include.size());
    const auto begin = line.begin + static_cast<std::uint32_t>(include.size());
    if (is_embedded(name))
      code.links.push_back(
          {begin, begin + static_cast<std::uint32_t>(name.size()), std::string(name)});
  }
}

// The PTX of the kernels that the variant's files define: others were compiled together with them.
std::string ptx_of(const Variant& variant) {
  const std::vector<std::string> files = source_files(variant);
  return only_entries(warpview::ptx_of(variant.file), [&files](const PtxEntry& entry) {
    return find_kernel(files, entry.name).has_value();
  });
}

// With each kernel's name in plain letters above it.
std::string with_names(const std::string& ptx) {
  const std::vector<PtxEntry> entries = ptx_entries(ptx);
  auto entry = entries.begin();
  std::string named;
  std::size_t begin = 0;
  for (int line = 0; begin < ptx.size(); ++line) {
    const std::size_t end = std::min(ptx.find('\n', begin), ptx.size() - 1);
    if (entry != entries.end() && entry->line == line) named += "// " + (entry++)->name + '\n';
    named.append(ptx, begin, end + 1 - begin);
    begin = end + 1;
  }
  return named;
}

// What to ask for the variant's machine code; without symbols: nothing is known of its kernels.
SassQuestion sass_question(const Model& model, const Variant& variant, const lab::Answer* answer) {
  SassQuestion question{.file = "/proc/self/exe",
                        .compute_capability = model.device.compute_capability};
  std::error_code error;
  if (auto program = std::filesystem::read_symlink(question.file, error); !error)
    question.file = std::move(program);
  for (const PtxEntry& entry : ptx_entries(ptx_of(variant)))
    question.symbols.push_back(entry.symbol);
  // A program that holds machine code alone is known by its launches.
  if (question.symbols.empty() && answer != nullptr && model.device.backend == Backend::cuda)
    for (const LaunchRecord& record : answer->launches)
      if (!record.symbol.empty()) question.symbols.push_back(record.symbol);
  return question;
}

std::string why_no_symbols(const Model& model, const LabView& view, const Variant& variant) {
  if (model.device.backend == Backend::cuda && !is_library(*view.variant))
    return "Run the variant to find its kernels.";
  return why_no_ptx(variant.file);
}

// In place of code: lines that a narrow panel has room for.
std::string as_comment(const std::string& words) {
  constexpr std::size_t longest = 64;
  std::string comment;
  std::size_t length = longest;
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    const bool is_full = length + 1 + word.size() > longest;
    if (is_full) comment += comment.empty() ? "//" : "\n//";
    comment += ' ' + word;
    length = (is_full ? 2 : length) + 1 + word.size();
  }
  return comment;
}

struct Shown {
  std::string wanted;  // names what it is
  std::string text;    // empty where it is shown already
};

// The variant's machine code, or what is to be said instead. It is asked for once.
Shown sass_to_show(Model& model, LabView& view, const Variant& variant, const lab::Answer* answer) {
  const std::string name = std::string("SASS of ") + variant.file;
  if (view.sass_of != name || (answer != nullptr) != view.sass_after_run) {
    view.sass_of = name;
    view.sass_after_run = answer != nullptr;
    view.sass = sass_question(model, variant, answer);
    view.sass_asked = false;
  }
  if (view.sass.symbols.empty())
    return {name + ": no symbols", as_comment(why_no_symbols(model, view, variant))};
  if (!std::exchange(view.sass_asked, true)) model.requests.add(request::Disassemble{view.sass});
  for (const SassAnswer& each : model.lab.sass) {
    if (each.question != view.sass || !each.done) continue;
    if (!each.error.empty()) return {name + ": " + each.error, as_comment(each.error)};
    return {name, view.shown == name ? std::string() : each.text};
  }
  return {name + ": running", "// Running cuobjdump ..."};
}

void refresh(Model& model, LabView& view, const Variant& variant, const lab::Answer* answer) {
  Shown shown{view.file, {}};
  if (view.kind == Listing::ptx) shown.wanted = std::string("PTX of ") + variant.file;
  if (view.kind == Listing::sass)
    shown = sass_to_show(model, view, variant, answer);
  else
    view.sass_asked = false;  // the user may have installed it before coming back
  if (view.shown == shown.wanted) return;
  view.shown = shown.wanted;
  view.entries.clear();
  view.code_view = {.scroll_to = std::max(std::exchange(view.back_to, -1), 0)};
  if (view.kind == Listing::source) {
    const bool there = is_embedded(view.file);
    view.code = tinted(there ? kernel_source(view.file) : "// This file is not in the program.",
                       Language::kernel);
    add_links(view.code);
    return;
  }
  if (view.kind == Listing::ptx) {
    const std::string ptx = with_names(ptx_of(variant));
    shown.text = ptx.empty() ? as_comment(why_no_ptx(variant.file)) : ptx;
    view.entries = ptx_entries(ptx);
  } else {
    view.entries = sass_entries(shown.text);
  }
  view.code = tinted(shown.text, Language::ptx);
  if (answer != nullptr && !answer->launches.empty())
    show_kernel(model, view, *answer, answer->launches.front());
  if (view.code_view.marked < 0 && !view.entries.empty())
    show_line(view, view.entries.front().line);
}

// Finds the files anew where the variant or its launches are others than before.
void find_files(LabView& view, const Variant& variant, const lab::Answer* answer) {
  std::string made_for = variant.file;
  std::span<const LaunchRecord> launches;
  if (answer != nullptr) launches = answer->launches;
  for (const LaunchRecord& launch : launches) made_for += '\n' + launch.kernel;
  if (view.files_of != made_for) {
    view.files_of = made_for;
    view.files = source_files(variant, launches);
  }
  if (std::find(view.files.begin(), view.files.end(), view.file) != view.files.end()) return;
  view.file = view.files.front();
  view.trail.clear();
}

}  // namespace

void draw_lab_code(Model& model, PanelState& state) {
  LabView& view = state.lab;
  const Variant& variant = **view.variant;
  const lab::Answer* const answer = answer_of(model.lab, *view.variant);
  find_files(view, variant, answer);
  draw_choices(model, state, variant);
  const std::string before = view.shown;
  refresh(model, view, variant, answer);
  state.animates |= view.shown != before;  // its list of kernels comes with the next frame
  if (const LaunchRecord* const clicked = draw_kernels(model, state, answer))
    show_kernel(model, view, *answer, *clicked);
  draw_scratch(state, answer);
  ImGui::Dummy({0.0F, 0.1F * em()});
  if (const Code::Link* const link = draw_code("code", view.code, state.fonts, view.code_view))
    follow(view, link->file);
}

}  // namespace warpview
