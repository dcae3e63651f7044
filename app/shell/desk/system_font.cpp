#include "app/shell/desk/system_font.h"

#include <filesystem>
#include <memory>

#include <fontconfig/fontconfig.h>

namespace glint::shell {
namespace {

struct Destroy {
  void operator()(FcConfig* config) const { FcConfigDestroy(config); }
  void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
  void operator()(FcFontSet* set) const { FcFontSetDestroy(set); }
};
template <class T>
using Owned = std::unique_ptr<T, Destroy>;

const FcChar8* text(const char* value) {
  return reinterpret_cast<const FcChar8*>(value);
}

/// Returns true if a font is suitable for reading.
bool isReadable(FcPattern* font) {
  FcBool scalable = FcFalse, colour = FcFalse;
  int slant = FC_SLANT_ROMAN, index = 0;
  FcPatternGetBool(font, FC_SCALABLE, 0, &scalable);
  FcPatternGetBool(font, FC_COLOR, 0, &colour);
  FcPatternGetInteger(font, FC_SLANT, 0, &slant);
  FcPatternGetInteger(font, FC_INDEX, 0, &index);
  FcCharSet* characters = nullptr;
  FcPatternGetCharSet(font, FC_CHARSET, 0, &characters);
  if (scalable == FcFalse || colour == FcTrue || slant != FC_SLANT_ROMAN || index != 0 ||
      characters == nullptr) {
    return false;
  }
  for (FcChar32 c = ' '; c <= '~'; ++c)
    if (FcCharSetHasChar(characters, c) == FcFalse) return false;
  return true;
}

std::string fileOf(FcPattern* font) {
  FcChar8* file = nullptr;
  if (FcPatternGetString(font, FC_FILE, 0, &file) != FcResultMatch) return {};
  std::error_code error;
  const std::string path = reinterpret_cast<const char*>(file);
  return std::filesystem::is_regular_file(path, error) ? path : std::string();
}

/// Returns all fonts, those that suit the reading of plain text first; null if there are none.
Owned<FcFontSet> fontsForReading(FcConfig* config) {
  const Owned<FcPattern> wanted(FcPatternCreate());
  if (!config || !wanted) return nullptr;
  FcPatternAddString(wanted.get(), FC_FAMILY, text("sans-serif"));
  FcPatternAddInteger(wanted.get(), FC_WEIGHT, FC_WEIGHT_NORMAL);
  FcPatternAddInteger(wanted.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcPatternAddBool(wanted.get(), FC_SCALABLE, FcTrue);
  FcConfigSubstitute(config, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult result = FcResultNoMatch;
  return Owned<FcFontSet>(FcFontSort(config, wanted.get(), FcFalse, nullptr, &result));
}

}  // namespace

std::string readableFont() {
  const Owned<FcConfig> config(FcInitLoadConfigAndFonts());
  const Owned<FcFontSet> found = fontsForReading(config.get());
  if (!found) return {};
  for (int i = 0; i < found->nfont; ++i) {
    if (!isReadable(found->fonts[i])) continue;
    if (std::string file = fileOf(found->fonts[i]); !file.empty()) return file;
  }
  return {};
}

std::vector<LettersFont> fontsWith(std::set<char32_t> letters) {
  std::vector<LettersFont> fonts;
  const Owned<FcConfig> config(FcInitLoadConfigAndFonts());
  const Owned<FcFontSet> found = fontsForReading(config.get());
  for (int i = 0; found && i < found->nfont && !letters.empty(); ++i) {
    FcPattern* font = found->fonts[i];
    FcBool scalable = FcFalse, colour = FcFalse;
    FcPatternGetBool(font, FC_SCALABLE, 0, &scalable);
    FcPatternGetBool(font, FC_COLOR, 0, &colour);
    FcCharSet* characters = nullptr;
    if (scalable == FcFalse || colour == FcTrue ||
        FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) != FcResultMatch)
      continue;
    LettersFont part{.file = fileOf(font), .letters = {}};
    FcPatternGetInteger(font, FC_INDEX, 0, &part.index);
    if (part.file.empty()) continue;
    for (const char32_t letter : letters)
      if (FcCharSetHasChar(characters, letter) == FcTrue) part.letters.insert(letter);
    for (const char32_t letter : part.letters) letters.erase(letter);
    if (!part.letters.empty()) fonts.push_back(std::move(part));
  }
  return fonts;
}

}  // namespace glint::shell
