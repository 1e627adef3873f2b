// What a user can set in a scene: described once, as data, from which panel, `--set`, scene files,
// `--list-scenes` and help are made.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpview {

// What has to happen before a changed value shows.
enum class Effect {
  frame,  // nothing: each frame reads it anew
  plan,   // the frame's launches change, so they are captured again
  reset,  // the scene begins again
  remake  // another scene is made, on the loading thread: sizes are of this kind
};

// Where a control has an effect: while another control has one of these values and has an effect
// itself, or while an output is shown. One of the two names is set; with none it always has one.
struct Need {
  const char* control = nullptr;
  std::array<const char*, 4> values{};  // as Controls::set() takes them; null: no more of them
  const char* output = nullptr;

  bool any() const { return control != nullptr || output != nullptr; }
};

struct Control {
  enum class Kind {
    toggle,  // 0 or 1
    number,
    choice,  // the index of one of `choices`
    action   // a button; its value counts how often it was pressed
  };

  const char* name;  // "radius": unique in its scene
  const char* title;
  const char* tooltip;
  Kind kind = Kind::number;
  Effect effect = Effect::frame;
  double initial = 0.0;
  // The range of a number. Smaller and larger ones are refused.
  double least = 0.0;
  double most = 1.0;
  bool whole = false;        // no fractions
  bool logarithmic = false;  // what a slider's way means
  const char* unit = "";
  bool of_files = false;  // of effect `remake`: files are read anew, as it says how
  // Of effect `remake`: a window in which pictures are slow begins with fewer than `initial`, but
  // not with fewer than this. 0: however slow, it begins with `initial`.
  double fewest = 0.0;
  std::span<const char* const> choices{};
  const char* group = "";  // controls of a group stand together, under its name
  Need needs{};
};

// A control of older versions, which command lines, scene files and settings may still name.
struct OldSetting {
  const char* name;
  const char* value = nullptr;  // null: any
  // What it sets today: up to two controls; a value of null is the old one.
  struct Today {
    const char* control = nullptr;
    const char* value = nullptr;
  };
  std::array<Today, 2> today{};
};

// --- for tables of controls

template <std::size_t n, std::size_t m>
constexpr std::array<Control, n + m> joined(const std::array<Control, n>& first,
                                            const std::array<Control, m>& second) {
  std::array<Control, n + m> all{};
  std::copy(first.begin(), first.end(), all.begin());
  std::copy(second.begin(), second.end(), all.begin() + n);
  return all;
}
constexpr Control with_initial(Control control, double initial) {
  control.initial = initial;
  return control;
}
constexpr Control with_needs(Control control, const Need& needs) {
  control.needs = needs;
  return control;
}

// --- in words

// "on or off; on", "0.01 to 0.5 m; 0.1 m", "one of off, refit, rebuild; off": what values there
// are, and the one it begins with.
std::string range_in_words(const Control& control);
// The unit after a number as it is written: "pixel" after "1", "pixels" after "1.5".
std::string_view unit_after(std::string_view number, std::string_view unit);
// For people, with its unit: "on", "0.1 m", "refit".
std::string value_in_words(const Control& control, double value);

// "shape=twist or shape=bulge", "the output boxes"; empty: it needs nothing.
std::string needs_in_words(const Control& control);

// The values of a scene's controls.
class Controls {
 public:
  Controls() = default;
  // All at their initial values. What the spans show must outlive this.
  explicit Controls(std::span<const Control> controls, std::span<const OldSetting> old = {});

  std::span<const Control> all() const { return controls_; }
  std::size_t size() const { return controls_.size(); }
  // Index of a control. Error names those that there are.
  std::size_t find(std::string_view name) const;

  double value(std::size_t index) const { return values_[index]; }
  // std::logic_error where there is no control of this name.
  double operator[](std::string_view name) const;
  bool on(std::string_view name) const { return (*this)[name] != 0.0; }
  int choice(std::string_view name) const { return static_cast<int>((*this)[name]); }

  // As set() takes it: "on", "0.5", "refit".
  std::string text(std::size_t index) const;

  // Error where the control cannot have this value, with its range.
  void set(std::size_t index, double value);
  // Sets it by words: "on", "0.5", "refit", "true".
  void set(std::size_t index, std::string_view text);
  // "name=value". Error where there is no '=', no such control or no such value. The name may be an
  // old one.
  void set(std::string_view assignment);
  void set(std::string_view name, std::string_view text);

  // Names and values of today for a setting that may be an old one. Error where an old control did
  // not have this value; what is not old is not looked at.
  using Setting = std::pair<std::string, std::string>;
  std::vector<Setting> today(std::string_view name, std::string_view value) const;
  // Does a setting of this name, which may be an old one, set the control?
  bool sets(std::string_view name, std::string_view control) const;

  // Has the control that `need` names one of its values?
  bool has_value(const Need& need) const;
  // What keeps a control from having an effect; null: it has one. `is_shown` says of an output, by
  // its name, whether it is shown.
  const Need* unmet_need(std::size_t index,
                         const std::function<bool(std::string_view)>& is_shown) const;

  bool operator==(const Controls& other) const { return values_ == other.values_; }
  // Do all controls of this effect have the same values here and there?
  bool same(const Controls& other, Effect effect) const;

 private:
  // Errors name the control as `written`.
  void set(std::size_t index, std::string_view text, std::string_view written);

  std::span<const Control> controls_;
  std::span<const OldSetting> old_;
  std::vector<double> values_;
};

}  // namespace warpview
