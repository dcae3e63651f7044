// The descriptions of Photron's recordings. CIHX is XML with bytes around it, CIH has lines of
// "Name : value" (Photron FASTCAM Viewer; pyMRAW reads both).
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "app/base/text.h"
#include "app/capture/source/xml_walk.h"
#include "app/capture/video/stored_frames.h"
#include "config/error.h"
#include "config/lower_case.h"

namespace glint::capture {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostDescription = 64 << 20;  // bytes

/// A number or a word of the description, by its name in CIH and its path in CIHX.
struct PhotronField {
  const char* cih;
  const char* cihx;
};
constexpr PhotronField kWidth{"Image Width", "cih/imageDataInfo/resolution/width"};
constexpr PhotronField kHeight{"Image Height", "cih/imageDataInfo/resolution/height"};
constexpr PhotronField kFrames{"Total Frame", "cih/frameInfo/totalFrame"};
constexpr PhotronField kRate{"Record Rate(fps)", "cih/recordInfo/recordRate"};
constexpr PhotronField kBits{"Color Bit", "cih/imageDataInfo/colorInfo/bit"};
constexpr PhotronField kColours{"Color Type", "cih/imageDataInfo/colorInfo/type"};
constexpr PhotronField kDepth{"EffectiveBit Depth", "cih/imageDataInfo/effectiveBit/depth"};
constexpr PhotronField kSide{"EffectiveBit Side", "cih/imageDataInfo/effectiveBit/side"};
constexpr PhotronField kFormat{"File Format", "cih/imageFileInfo/fileFormat"};

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string suffixOf(const std::string& path) {
  return lowerCase(fs::path(path).extension().string());
}

/// Returns the file beside `path` that has the same name and one of the suffixes, in letters of any
/// case; empty if there is none.
std::string beside(const std::string& path, std::initializer_list<const char*> suffixes) {
  const fs::path own(path);
  const fs::path folder = own.has_parent_path() ? own.parent_path() : fs::path(".");
  for (const char* suffix : suffixes) {
    const fs::path plain = fs::path(own).replace_extension(suffix);
    std::error_code error;
    if (fs::is_regular_file(plain, error)) return plain.string();
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
      if (entry->path().stem() == own.stem() && suffixOf(entry->path().string()) == suffix)
        return fs::path(own).replace_filename(entry->path().filename()).string();
  }
  return "";
}

struct PhotronPaths {
  std::string description, pictures;
};

PhotronPaths pathsOf(const std::string& path) {
  if (suffixOf(path) == ".mraw") return {beside(path, {".cihx", ".cih"}), path};
  return {path, beside(path, {".mraw"})};
}

/// The values of a description.
class PhotronDescription {
 public:
  explicit PhotronDescription(const std::string& path)
      : path_(path), isXml_(suffixOf(path) == ".cihx") {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error("cannot open '{}': {}", path, std::strerror(errno));
    std::error_code ignored;
    if (fs::file_size(path, ignored) > kMostDescription || ignored)
      throw Error("'{}' is no description of a Photron recording: it is too large", path);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    isXml_ ? readXml(text) : readLines(text);
  }

  const char* kind() const { return isXml_ ? "its CIHX" : "its CIH"; }
  std::string text(const PhotronField& field) const {
    const auto found = values_.find(isXml_ ? field.cihx : field.cih);
    return found == values_.end() ? "" : found->second;
  }
  /// Throws Error if there is no such number.
  uint64_t number(const PhotronField& field) const {
    const auto value = base::parseNumber<uint64_t>(text(field));
    if (!value)
      throw Error("'{}' has no valid value of '{}'", path_, isXml_ ? field.cihx : field.cih);
    return *value;
  }

 private:
  void readXml(const std::string& text) {
    const size_t begin = text.find("<cih>"), end = text.rfind("</cih>");
    if (begin == std::string::npos || end == std::string::npos || end < begin)
      throw Error("'{}' is cut short or damaged: it has no part <cih>", path_);
    const std::string problem =
        walkXml(std::string_view(text).substr(begin, end + std::strlen("</cih>") - begin),
                {.end = [&](const XmlElement& element, const std::string& place) {
                  values_.emplace(place, trimmed(element.text));
                }});
    if (!problem.empty()) throw Error("'{}' is cut short or damaged: {}", path_, problem);
  }
  void readLines(const std::string& text) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      const size_t colon = line.find(" : ");
      if (colon != std::string::npos)
        values_.emplace(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 3)));
    }
  }

  std::string path_;
  bool isXml_;
  std::map<std::string, std::string> values_;
};

uint32_t narrow(uint64_t number, const std::string& path, const char* what) {
  constexpr uint64_t kMost = 1 << 20;
  if (number > kMost) throw Error("'{}' promises {} of {}", path, what, number);
  return static_cast<uint32_t>(number);
}

}  // namespace

bool isPhotron(const std::string& path) {
  const std::string suffix = suffixOf(path);
  return suffix == ".mraw" || suffix == ".cih" || suffix == ".cihx";
}

std::vector<std::string> photronFiles(const std::string& path) {
  const PhotronPaths paths = pathsOf(path);
  return {paths.description, paths.pictures};
}

StoredFrames readPhotron(const std::string& path) {
  const PhotronPaths paths = pathsOf(path);
  if (paths.description.empty())
    throw Error(
        "'{}' needs its description: put the file of the same name with the suffix .cihx or .cih "
        "beside it",
        path);
  const PhotronDescription description(paths.description);
  if (const std::string format = description.text(kFormat);
      !format.empty() && lowerCase(format) != "mraw")
    throw Error("'{}' says that its pictures are {} files: give those instead", paths.description,
                format);
  if (paths.pictures.empty())
    throw Error(
        "'{}' needs its pictures: put the file of the same name with the suffix .mraw "
        "beside it",
        path);
  if (const std::string colours = lowerCase(description.text(kColours));
      !colours.empty() && colours.find("mono") == std::string::npos)
    throw Error(
        "'{}' says that its pictures have colours ('{}'), which Glint does not read from MRAW: "
        "save them as TIFF or AVI with Photron FASTCAM Viewer",
        paths.description, description.text(kColours));
  StoredFrames frames{
      .bits = narrow(description.number(kBits), paths.description, "a number of bits"),
      .width = narrow(description.number(kWidth), paths.description, "a width"),
      .height = narrow(description.number(kHeight), paths.description, "a height"),
      .path = paths.pictures,
      .rateFrom = description.kind()};
  frames.frames = description.number(kFrames);
  frames.depth = frames.bits;
  if (!description.text(kDepth).empty())
    frames.depth = std::min(
        frames.bits, narrow(description.number(kDepth), paths.description, "a number of bits"));
  frames.isAtTop = lowerCase(description.text(kSide)) == "higher";
  const auto rate = base::parseNumber<double>(description.text(kRate));
  if (rate && *rate > 0) frames.rate = rate;
  return frames;
}

}  // namespace glint::capture
