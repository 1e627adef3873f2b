#include "app/option_ab.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/option_values.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

struct FormName {
  const char* name;
  AbOptions::Form form;
};
constexpr std::array form_names = {
    FormName{"sheet", AbOptions::Form::sheet}, FormName{"divider", AbOptions::Form::divider},
    FormName{"difference", AbOptions::Form::difference}, FormName{"a", AbOptions::Form::a}};

std::vector<std::string> parted(const std::string& words, char at) {
  std::vector<std::string> parts;
  std::string_view rest = words;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(at), rest.size());
    if (end > 0) parts.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return parts;
}

std::string_view look_name(const LookSwitch& row) { return row.name; }

// NAME=VALUE of a control, of what is shown, or of what look_switches switch.
void add_setting_of_a(AbOptions& ab, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos)
    throw Error("\"" + setting + "\"", "there is no '=' in it",
                "Write it as name=value, for example --compare-to level=3,show=mesh+boxes");
  const std::string name = setting.substr(0, equals);
  std::string value = setting.substr(equals + 1);
  if (name == "show") {
    ab.a.show = parted(value, '+');
  } else if (const auto row = std::ranges::find(look_switches, name, look_name);
             row != look_switches.end()) {
    if (value != "on" && value != "off")
      throw Error(setting, "it is neither on nor off",
                  fmt::format("Write {0}=on or {0}=off", name));
    ab.look.at(static_cast<std::size_t>(row - look_switches.begin())) = value == "on";
  } else {
    ab.a.controls.emplace_back(name, std::move(value));
    const bool is_file = ab.a.files.size() == 1 && is_scene_file(ab.a.files.front().spec);
    if (!is_file) controls_of(ab.a);
  }
}

}  // namespace

void add_ab(CLI::App& app, CLI::Option* headless, AbWords& words) {
  auto* compare =
      app.add_option(
             "--compare-to", words.settings,
             "NAME=VALUE[,NAME=VALUE...]: controls of the scene, show=OUTPUT[+OUTPUT...], or "
             "shadows, ground, horizon, occlusion or dimming=on|off. A|B: compares the picture "
             "with that of these settings, A, and "
             "prints the share of the pixels that differ; repeatable")
          ->delimiter(',')
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->allow_extra_args(false)
          ->needs(headless);
  std::vector<std::string> names;
  names.reserve(form_names.size());
  for (const FormName& each : form_names) names.emplace_back(each.name);
  app.add_option("--compare-view", words.view,
                 "With --compare-to: sheet draws A, B and their difference side by side; divider A "
                 "on the left and B on the right; difference or a only that; default: sheet, or "
                 "divider with --panels or --video")
      ->check(CLI::IsMember(names))
      ->needs(compare);
  app.add_option("--amplify", words.gain,
                 "With --compare-to: the difference is drawn so many times as large; 8")
      ->check(CLI::Range(1, AbView::most_gain))
      ->needs(compare);
}

void read_ab(const AbWords& words, Options& options) {
  if (words.settings.empty()) return;
  AbOptions ab{.a = options.scene, .look = {}, .form = {}};
  for (const std::string& setting : words.settings)
    or_wrong_usage("--compare-to", [&] { add_setting_of_a(ab, setting); });
  for (const FormName& each : form_names)
    if (words.view == each.name) ab.form = each.form;
  if (words.gain) ab.gain = *words.gain;
  if (ab.form == AbOptions::Form::sheet && (options.panels || options.video))
    throw CLI::ValidationError("--compare-view sheet",
                               "it is a picture without panels, and no video");
  options.ab = std::move(ab);
}

}  // namespace warpview
