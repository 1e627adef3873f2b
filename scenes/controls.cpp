#include "scenes/controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "gpu/runtime/error.h"
#include "gpu/runtime/suggestion.h"
#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

std::string with_unit(const std::string& number, const char* unit) {
  return fmt::format("{}{}{}", number, *unit ? " " : "", unit_after(number, unit));
}

// As Controls::set() takes it.
std::string plain_words(const Control& control, double value) {
  if (control.kind == Control::Kind::toggle) return value != 0.0 ? "on" : "off";
  if (control.kind == Control::Kind::choice)
    return control.choices[static_cast<std::size_t>(value)];
  return fmt::format("{}", value);
}

std::string choices_in_words(const Control& control) {
  return fmt::format("{}", fmt::join(control.choices, ", "));
}

std::string allowed_in_words(const Control& control) {
  switch (control.kind) {
    case Control::Kind::toggle:
      return "on or off";
    case Control::Kind::number:
      return fmt::format("{}{} to {}", control.whole ? "a whole number, " : "", control.least,
                         with_unit(fmt::format("{}", control.most), control.unit));
    case Control::Kind::choice:
      return "one of " + choices_in_words(control);
    case Control::Kind::action:
      return "a button: 1 presses it once";
  }
  return {};
}

// `written`: the name that the control was given by.
[[noreturn]] void refuse(const Control& control, std::string_view value, std::string_view written) {
  std::vector<std::string_view> known;
  if (control.kind == Control::Kind::choice)
    known.assign(control.choices.begin(), control.choices.end());
  throw Error(fmt::format("{}={}", written, shortened(value)),
              fmt::format("not a valid value of \"{}\"", control.title),
              did_you_mean(value, known) + "It takes " + allowed_in_words(control));
}

bool is_allowed(const Control& control, double value) {
  switch (control.kind) {
    case Control::Kind::toggle:
      return value == 0.0 || value == 1.0;
    case Control::Kind::number:
      return value >= control.least && value <= control.most &&
             (!control.whole || value == std::floor(value));
    case Control::Kind::choice:
      return value >= 0.0 && value < static_cast<double>(control.choices.size()) &&
             value == std::floor(value);
    case Control::Kind::action:
      return value >= 0.0 && value == std::floor(value);
  }
  return false;
}

}  // namespace

std::string range_in_words(const Control& control) {
  if (control.kind == Control::Kind::action) return "an action";
  return fmt::format("{}; {}", allowed_in_words(control), value_in_words(control, control.initial));
}

std::string_view unit_after(std::string_view number, std::string_view unit) {
  if (number != "1") return unit;
  if (unit == "radii") return "radius";
  if (unit == "pixels" || unit == "degrees") return unit.substr(0, unit.size() - 1);
  return unit;
}

std::string value_in_words(const Control& control, double value) {
  const std::string words = plain_words(control, value);
  return control.kind == Control::Kind::number ? with_unit(words, control.unit) : words;
}

std::string needs_in_words(const Control& control) {
  const Need& need = control.needs;
  if (need.output != nullptr) return fmt::format("the output {}", need.output);
  std::string words;
  for (const char* value : need.values)
    if (value != nullptr)
      words += fmt::format("{}{}={}", words.empty() ? "" : " or ", need.control, value);
  return words;
}

Controls::Controls(std::span<const Control> controls, std::span<const OldSetting> old)
    : controls_(controls), old_(old) {
  for (const Control& control : controls) values_.push_back(control.initial);
}

std::size_t Controls::find(std::string_view name) const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < controls_.size(); ++i) {
    if (name == controls_[i].name) return i;
    names.emplace_back(controls_[i].name);
  }
  throw Error(
      fmt::format("control \"{}\"", shortened(name)), "the scene does not have this control",
      did_you_mean(name, names) +
          (names.empty() ? "It has none" : fmt::format("It has {}", fmt::join(names, ", "))));
}

double Controls::operator[](std::string_view name) const {
  for (std::size_t i = 0; i < controls_.size(); ++i)
    if (name == controls_[i].name) return values_[i];
  throw std::logic_error("there is no control " + std::string(name));
}

std::string Controls::text(std::size_t index) const {
  return plain_words(controls_[index], values_[index]);
}

void Controls::set(std::size_t index, double value) {
  const Control& control = controls_[index];
  if (!is_allowed(control, value)) refuse(control, fmt::format("{}", value), control.name);
  values_[index] = value;
}

void Controls::set(std::size_t index, std::string_view text) {
  set(index, text, controls_[index].name);
}

void Controls::set(std::size_t index, std::string_view text, std::string_view written) {
  const Control& control = controls_[index];
  if (control.kind == Control::Kind::choice) {
    for (std::size_t i = 0; i < control.choices.size(); ++i)
      if (text == control.choices[i]) return set(index, static_cast<double>(i));
    refuse(control, text, written);
  }
  if (control.kind == Control::Kind::toggle) {
    if (text == "on" || text == "true" || text == "yes") return set(index, 1.0);
    if (text == "off" || text == "false" || text == "no") return set(index, 0.0);
  }
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !is_allowed(control, value))
    refuse(control, text, written);
  values_[index] = value;
}

void Controls::set(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw Error(fmt::format("setting \"{}\"", shortened(assignment)), "there is no '=' in it",
                "Write it as name=value, for example radius=0.02");
  set(assignment.substr(0, equals), assignment.substr(equals + 1));
}

void Controls::set(std::string_view name, std::string_view text) {
  for (const auto& [control, value] : today(name, text)) set(find(control), value, name);
}

std::vector<Controls::Setting> Controls::today(std::string_view name,
                                               std::string_view value) const {
  std::vector<std::string_view> known;
  for (const OldSetting& old : old_) {
    if (name != old.name) continue;
    if (old.value != nullptr) known.emplace_back(old.value);
    if (old.value != nullptr && value != old.value) continue;
    std::vector<Setting> settings;
    for (const OldSetting::Today& now : old.today)
      if (now.control != nullptr) settings.emplace_back(now.control, now.value ? now.value : value);
    return settings;
  }
  if (known.empty()) return {{std::string(name), std::string(value)}};
  throw Error(
      fmt::format("{}={}", name, shortened(value)),
      fmt::format("not a valid value of \"{}\"", name),
      did_you_mean(value, known) + fmt::format("It takes one of {}", fmt::join(known, ", ")));
}

bool Controls::sets(std::string_view name, std::string_view control) const {
  if (name == control) return true;
  for (const OldSetting& old : old_)
    for (const OldSetting::Today& now : old.today)
      if (name == old.name && now.control != nullptr && control == now.control) return true;
  return false;
}

bool Controls::has_value(const Need& need) const {
  const std::string now = text(find(need.control));
  return std::any_of(need.values.begin(), need.values.end(),
                     [&now](const char* value) { return value != nullptr && now == value; });
}

const Need* Controls::unmet_need(std::size_t index,
                                 const std::function<bool(std::string_view)>& is_shown) const {
  const Need& need = controls_[index].needs;
  if (need.output != nullptr) return is_shown(need.output) ? nullptr : &need;
  if (need.control == nullptr) return nullptr;
  return has_value(need) ? unmet_need(find(need.control), is_shown) : &need;
}

bool Controls::same(const Controls& other, Effect effect) const {
  if (controls_.data() != other.controls_.data() || values_.size() != other.values_.size())
    return false;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (controls_[i].effect == effect && values_[i] != other.values_[i]) return false;
  return true;
}

}  // namespace warpview
