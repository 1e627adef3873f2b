#include "app/panels/machine_fonts.h"

#if defined(WARPVIEW_HAS_FONTCONFIG)
#include <fontconfig/fontconfig.h>

#include <string_view>
#endif

namespace warpview {

#if defined(WARPVIEW_HAS_FONTCONFIG)

namespace {

template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
using Pattern = std::unique_ptr<FcPattern, Destroy<FcPatternDestroy>>;
using CharSet = std::unique_ptr<FcCharSet, Destroy<FcCharSetDestroy>>;
using FontSet = std::unique_ptr<FcFontSet, Destroy<FcFontSetDestroy>>;

// Upright, sans serif, of outlines, with this letter.
Pattern pattern_for(FcConfig* config, char32_t letter) {
  Pattern pattern(FcPatternCreate());
  const CharSet letters(FcCharSetCreate());
  FcCharSetAddChar(letters.get(), letter);
  FcPatternAddCharSet(pattern.get(), FC_CHARSET, letters.get());
  FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
  FcPatternAddBool(pattern.get(), FC_OUTLINE, FcTrue);
  FcConfigSubstitute(config, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  return pattern;
}

// The file of a font, if it has the letter in outlines of a kind that ImGui reads.
std::optional<FontFile> usable_file(FcPattern* font, char32_t letter) {
  FcCharSet* letters = nullptr;
  FcBool outline = FcFalse;
  FcChar8* format = nullptr;
  FcChar8* path = nullptr;
  int index = 0;
  const bool is_known = FcPatternGetCharSet(font, FC_CHARSET, 0, &letters) == FcResultMatch &&
                        FcPatternGetBool(font, FC_OUTLINE, 0, &outline) == FcResultMatch &&
                        FcPatternGetString(font, FC_FONTFORMAT, 0, &format) == FcResultMatch &&
                        FcPatternGetString(font, FC_FILE, 0, &path) == FcResultMatch &&
                        FcPatternGetInteger(font, FC_INDEX, 0, &index) == FcResultMatch;
  if (!is_known || outline == FcFalse || FcCharSetHasChar(letters, letter) == FcFalse) return {};
  const std::string_view kind = reinterpret_cast<const char*>(format);
  if (kind != "TrueType" && kind != "CFF") return {};
  constexpr int face_bits = 0xffff;  // above them is the instance of a variable font
  return FontFile{reinterpret_cast<const char*>(path), index & face_bits};
}

}  // namespace

struct MachineFonts::Configuration {
  FcConfig* config = FcInitLoadConfigAndFonts();
  Configuration() = default;
  ~Configuration() {
    if (config != nullptr) FcConfigDestroy(config);
  }
  Configuration(const Configuration&) = delete;
  Configuration& operator=(const Configuration&) = delete;
};

std::optional<FontFile> MachineFonts::with(char32_t letter) {
  if (!configuration_) configuration_ = std::make_unique<Configuration>();
  FcConfig* const config = configuration_->config;
  if (config == nullptr) return {};
  const Pattern pattern = pattern_for(config, letter);
  FcResult result = FcResultNoMatch;
  const FontSet fonts(FcFontSort(config, pattern.get(), FcFalse, nullptr, &result));
  for (int i = 0; fonts && i < fonts->nfont; ++i)
    if (auto file = usable_file(fonts->fonts[i], letter)) return file;
  return {};
}

#else

struct MachineFonts::Configuration {};

std::optional<FontFile> MachineFonts::with(char32_t /*letter*/) { return {}; }

#endif

MachineFonts::MachineFonts() = default;
MachineFonts::~MachineFonts() = default;

}  // namespace warpview
