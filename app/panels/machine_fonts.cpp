#include "app/panels/machine_fonts.h"

#if defined(WARPVIEW_HAS_FONTCONFIG)
#include <fontconfig/fontconfig.h>

#include <string_view>
#endif

namespace warpview {

#if defined(WARPVIEW_HAS_FONTCONFIG)

namespace {

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

struct MachineFonts::Installed {
  template <auto destroy>
  struct Destroy {
    template <class T>
    void operator()(T* object) const {
      destroy(object);
    }
  };
  using Config = std::unique_ptr<FcConfig, Destroy<FcConfigDestroy>>;
  using Pattern = std::unique_ptr<FcPattern, Destroy<FcPatternDestroy>>;
  using FontSet = std::unique_ptr<FcFontSet, Destroy<FcFontSetDestroy>>;

  // All: first those that are most like upright letters of outlines, sans serif.
  static FontSet sorted(FcConfig* config) {
    if (config == nullptr) return nullptr;
    const Pattern pattern(FcPatternCreate());
    FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
    FcPatternAddBool(pattern.get(), FC_OUTLINE, FcTrue);
    FcConfigSubstitute(config, pattern.get(), FcMatchPattern);
    FcDefaultSubstitute(pattern.get());
    FcResult result = FcResultNoMatch;
    return FontSet(FcFontSort(config, pattern.get(), FcFalse, nullptr, &result));
  }

  Config config{FcInitLoadConfigAndFonts()};
  FontSet fonts = sorted(config.get());
};

std::optional<FontFile> MachineFonts::with(char32_t letter, const AcceptFont& accept) {
  if (!installed_) installed_ = std::make_unique<Installed>();
  const FcFontSet* const fonts = installed_->fonts.get();
  for (int i = 0; fonts != nullptr && i < fonts->nfont; ++i) {
    auto file = usable_file(fonts->fonts[i], letter);
    if (file && accept(*file)) return file;
  }
  return {};
}

#else

struct MachineFonts::Installed {};

std::optional<FontFile> MachineFonts::with(char32_t /*letter*/, const AcceptFont& /*accept*/) {
  return {};
}

#endif

MachineFonts::MachineFonts() = default;
MachineFonts::~MachineFonts() = default;

}  // namespace warpview
