#include "app/capture/images/tiff_axes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/base/text.h"
#include "app/capture/images/ome_text.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::capture {
namespace {

constexpr uint64_t kMostPlanes = uint64_t{1} << 32;
constexpr uint64_t kMostElsewhere = 1'000'000;  // planes that are not in this file
constexpr size_t kMostOtherFiles = 100'000;

/// The page that holds a plane.
struct Plane {
  static constexpr uint32_t kNowhere = ~uint32_t{0};
  uint64_t page = 0;
  uint32_t file = kNowhere;  ///< 0: this one; n: Axes::files[n - 1]
};

/// How many planes a stack has along each axis, and which page holds each.
struct Axes {
  uint64_t channels = 1, slices = 1, moments = 1;
  std::vector<Plane> planes = {};       ///< of channel c, slice z, moment t: see index()
  std::vector<std::string> files = {};  ///< names of the other files

  uint64_t index(uint64_t c, uint64_t z, uint64_t t) const {
    return (t * slices + z) * channels + c;
  }
  /// Makes the pages of this file the planes, in their order.
  void takePages() {
    planes.resize(channels * slices * moments);
    for (uint64_t i = 0; i < planes.size(); ++i) planes[i] = {.page = i, .file = 0};
  }
};

/// Returns 0 unless the product is at most kMostPlanes.
uint64_t product(uint64_t a, uint64_t b, uint64_t c) {
  if (a == 0 || b == 0 || c == 0 || a > kMostPlanes || b > kMostPlanes || c > kMostPlanes) return 0;
  if (a > kMostPlanes / b || a * b > kMostPlanes / c) return 0;
  return a * b * c;
}

/// Returns the value behind "key=" at the beginning of a line of ImageJ's description.
std::optional<std::string> imagejValue(const std::string& text, const std::string& key) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
    if (line.starts_with(key + '=')) return line.substr(key.size() + 1);
    at = end + 1;
  }
  return std::nullopt;
}

std::optional<double> imagejNumber(const std::string& text, const std::string& key) {
  const auto value = imagejValue(text, key);
  return value ? base::parseNumber<double>(*value) : std::nullopt;
}

uint64_t imagejCount(const std::string& text, const std::string& key) {
  const auto value = imagejValue(text, key);
  const auto count = value ? base::parseNumber<uint64_t>(*value) : std::nullopt;
  return count.value_or(1);
}

std::optional<double> rateOf(std::optional<double> interval) {
  return interval && *interval > 0 ? std::optional(1 / *interval) : std::nullopt;
}

std::optional<Axes> imagejAxes(const std::string& text, uint64_t pages) {
  Axes axes{.channels = imagejCount(text, "channels"),
            .slices = imagejCount(text, "slices"),
            .moments = imagejCount(text, "frames")};
  const uint64_t images = imagejCount(text, "images");
  const uint64_t planes = product(axes.channels, axes.slices, axes.moments);
  // ImageJ counts the colours of a picture as channels, too.
  if (planes == 0 || planes != images || (planes == 1 && pages > 1)) return std::nullopt;
  const uint64_t each = axes.channels * axes.slices;
  // A single moment that is missing shows that the file is cut short.
  if (each <= pages)
    axes.moments = std::min(axes.moments, pages / each + 1);
  else if (planes > pages)
    axes = {.channels = 1, .slices = 1, .moments = pages + 1};
  axes.takePages();
  return axes;
}

/// Numbers the planes of an OME image in the order in which they are stored.
class PlaneOrder {
 public:
  /// `order`: "XYCZT", or another order of C, Z and T.
  PlaneOrder(const Axes& axes, std::string_view order) : axes_(axes), order_(order.substr(2)) {}

  /// Returns the place among Axes::planes of the plane with this number.
  uint64_t placeOf(uint64_t number) const {
    uint64_t c = 0, z = 0, t = 0;
    for (const char axis : order_) {
      (axis == 'C' ? c : axis == 'Z' ? z : t) = number % lengthOf(axis);
      number /= lengthOf(axis);
    }
    return axes_.index(c, z, t);
  }
  uint64_t numberOf(uint64_t c, uint64_t z, uint64_t t) const {
    uint64_t number = 0, step = 1;
    for (const char axis : order_) {
      number += step * (axis == 'C' ? c : axis == 'Z' ? z : t);
      step *= lengthOf(axis);
    }
    return number;
  }

 private:
  uint64_t lengthOf(char axis) const {
    return axis == 'C' ? axes_.channels : axis == 'Z' ? axes_.slices : axes_.moments;
  }

  const Axes& axes_;
  std::string_view order_;
};

bool isThereBeside(const std::string& path, const std::string& name) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(std::filesystem::path(path).replace_filename(name),
                                          ignored);
}

/// Numbers the files that the elements name: 0 for this file, which may have been renamed since.
class OmeFiles {
 public:
  OmeFiles(const OmeText& ome, const std::string& path)
      : ome_(ome), own_(std::filesystem::path(path).filename().string()) {
    const std::string only = ome.data.empty() ? "" : ome.data.front().file;
    const bool one = std::ranges::all_of(ome.data, [&](const auto& d) { return d.file == only; });
    // Only this file can be meant if the text names a single one, which is not there.
    if (one && !only.empty() && !isThereBeside(path, nameOf(only))) own_ = nameOf(only);
  }

  uint32_t numberOf(const OmeText::Data& data) {
    const bool same = !ome_.uuid.empty() && data.uuid == ome_.uuid;
    if (data.file.empty() || same || nameOf(data.file) == own_) return 0;
    const auto found = std::ranges::find(names_, nameOf(data.file));
    if (found != names_.end()) return static_cast<uint32_t>(found - names_.begin()) + 1;
    if (names_.size() == kMostOtherFiles) return Plane::kNowhere;
    names_.push_back(nameOf(data.file));
    return static_cast<uint32_t>(names_.size());
  }
  std::vector<std::string> takeNames() { return std::move(names_); }

 private:
  /// Other files are looked for in the same folder only.
  static std::string nameOf(const std::string& file) {
    return std::filesystem::path(file).filename().string();
  }

  const OmeText& ome_;
  std::string own_;
  std::vector<std::string> names_;
};

/// The planes of an OME-TIFF, of which elements TiffData may tell where they are (OME-TIFF
/// specification, "The TiffData element"). Empty if the text contradicts the pages.
std::optional<Axes> omeAxes(const OmeText& ome, const TiffFile& file) {
  Axes axes{.channels = ome.channels, .slices = ome.slices, .moments = ome.moments};
  // The samples of a colour, or of a page that holds all channels, are counted in SizeC.
  const uint64_t samples = std::max<uint64_t>(file.page(0).samples, 1);
  if (axes.channels % samples == 0) axes.channels /= samples;
  const uint64_t planes = product(axes.channels, axes.slices, axes.moments);
  std::string sorted = ome.order;
  std::ranges::sort(sorted);
  const bool knowsOrder = ome.order.starts_with("XY") && sorted == "CTXYZ";
  if (planes == 0 || planes > 64 * file.pages() + kMostElsewhere || !knowsOrder)
    return std::nullopt;
  axes.planes.resize(planes);
  const PlaneOrder order(axes, ome.order);
  if (ome.data.empty()) {
    for (uint64_t i = 0; i < planes; ++i) axes.planes[order.placeOf(i)] = {.page = i, .file = 0};
    return axes;
  }
  OmeFiles files(ome, file.name());
  std::vector<uint64_t> numbers;
  for (const OmeText::Data& data : ome.data)
    numbers.push_back(order.numberOf(data.channel / samples, data.slice, data.moment));
  std::vector<uint64_t> starts = numbers;
  std::ranges::sort(starts);
  for (size_t i = 0; i < ome.data.size(); ++i) {
    const OmeText::Data& data = ome.data[i];
    const uint32_t number = files.numberOf(data);
    // Without an IFD and a count, all planes up to the next element's first one are meant.
    const auto next = std::upper_bound(starts.begin(), starts.end(), numbers[i]);
    const uint64_t rest =
        (next == starts.end() ? planes : std::min(*next, planes)) - std::min(numbers[i], planes);
    const uint64_t count = data.count.value_or(data.page ? 1 : rest);
    for (uint64_t k = 0; k < count && numbers[i] < planes && k < planes - numbers[i]; ++k)
      axes.planes[order.placeOf(numbers[i] + k)] = {.page = data.page.value_or(0) + k,
                                                    .file = number};
  }
  axes.files = files.takeNames();
  return axes;
}

uint64_t chosen(std::optional<uint64_t> choice, uint64_t there, const char* what) {
  if (!choice) return 0;
  if (*choice < there) return *choice;
  if (there == 1) throw UsageError("?{}={}: there is only {} 0", what, *choice, what);
  throw UsageError("?{}={}: there are only the {}s 0 to {}", what, *choice, what, there - 1);
}

/// The pages that are like the first one.
std::vector<uint64_t> likeTheFirst(const TiffFile& file) {
  std::vector<uint64_t> pages;
  for (uint64_t i = 0; i < file.pages(); ++i)
    if (file.page(i) == file.page(0)) pages.push_back(i);
  return pages;
}

}  // namespace

bool hasSampleChannels(const TiffPage& page) {
  const uint16_t colours = page.colour == TiffPage::Colour::rgb ? 3 : 1;
  // One more is alpha, which is dropped.
  return page.samples > colours + 1 || (page.samples > colours && page.extras == 0);
}

std::optional<double> describedNumber(const std::string& text, const std::string& key) {
  size_t at = text.find(key + '=');
  if (at == std::string::npos) return std::nullopt;
  at += key.size() + 1;
  if (at < text.size() && text[at] == '"') ++at;
  return base::parseNumber<double>(text.substr(at, text.find_first_of("\" \r\n", at) - at));
}

namespace {

constexpr const char* kAllPages = "all its pages are taken for frames";

/// Reads ImageJ's description. Empty if it tells nothing of the pages, or contradicts them.
std::optional<Axes> readImagej(TiffFile& file, TiffFrames& frames) {
  const std::string& text = file.description();
  const uint64_t images = imagejCount(text, "images");
  if (file.pages() == 1 && images > 1) file.addPlanes(images);
  const double unit = secondsOf(imagejValue(text, "tunit").value_or(""));
  frames.rate = rateOf(imagejNumber(text, "finterval").value_or(0) * unit);
  frames.rateFrom = "ImageJ's finterval";
  if (const auto fps = imagejNumber(text, "fps"); !frames.rate && fps && *fps > 0) {
    frames.rate = fps;
    frames.rateFrom = "ImageJ's fps";
  }
  auto axes = imagejAxes(text, file.pages());
  const bool tellsOne = images == 1 && imagejCount(text, "channels") == 1 &&
                        imagejCount(text, "slices") == 1 && imagejCount(text, "frames") == 1;
  // ImageJ ends each line.
  if ((!axes || tellsOne) && !text.ends_with('\n'))
    frames.remarks.push_back(fmt::format(
        "its ImageJ text breaks off behind '{}': {}",
        text.substr(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1), kAllPages));
  else if (!axes && !tellsOne)
    frames.remarks.push_back(fmt::format(
        "its ImageJ text promises other numbers of images than there are: {}", kAllPages));
  return axes;
}

/// Reads the OME-XML text. Empty if it tells nothing of the pages, or contradicts them.
std::optional<Axes> readOmeAxes(const OmeText& ome, const TiffFile& file, TiffFrames& frames) {
  if (!ome.problem.empty()) {
    frames.remarks.push_back(
        fmt::format("its OME text breaks off or is damaged ({}): {}", ome.problem, kAllPages));
    return std::nullopt;
  }
  if (!ome.hasPixels) {
    frames.remarks.push_back(ome.metadataFile.empty()
                                 ? fmt::format("its OME text describes no image: {}", kAllPages)
                                 : fmt::format("its OME text refers to '{}', which is not read: {}",
                                               ome.metadataFile, kAllPages));
    return std::nullopt;
  }
  frames.rate = rateOf(ome.interval);
  frames.rateFrom = "OME's TimeIncrement";
  auto axes = omeAxes(ome, file);
  if (!axes)
    frames.remarks.push_back(fmt::format(
        "its OME text promises {} x {} x {} planes in the order {}, which cannot be: {}",
        ome.channels, ome.slices, ome.moments, ome.order, kAllPages));
  if (ome.otherImages > 0)
    frames.remarks.push_back(fmt::format("{} of this OME-TIFF {} left out",
                                         counted(ome.otherImages, "other image"),
                                         ome.otherImages == 1 ? "is" : "are"));
  return axes;
}

/// Decides for each other file whether it is read, and returns the numbers that frames have for it:
/// Plane::kNowhere for a file that is left out.
std::vector<uint32_t> openOthers(const Axes& axes, const TiffFile& file, OtherFiles others,
                                 TiffFrames& frames) {
  std::vector<uint32_t> numbers{0};
  for (const std::string& name : axes.files) {
    const bool there = isThereBeside(file.name(), name);
    if (there && others == OtherFiles::read) {
      frames.others.push_back(std::filesystem::path(file.name()).replace_filename(name).string());
      numbers.push_back(static_cast<uint32_t>(frames.others.size()));
    } else {
      numbers.push_back(Plane::kNowhere);
    }
  }
  return numbers;
}

/// Says which frames are left out because their files are missing.
void noteMissingFiles(const Axes& axes, const TiffFile& file, const std::vector<uint64_t>& lost,
                      TiffFrames& frames) {
  constexpr size_t kMostNamed = 4;
  uint64_t count = 0;
  std::string names;
  size_t named = 0;
  for (size_t i = 0; i < axes.files.size(); ++i) {
    if (lost[i] == 0 || isThereBeside(file.name(), axes.files[i])) continue;
    count += lost[i];
    if (++named <= kMostNamed) names += fmt::format("{}'{}'", named > 1 ? ", " : "", axes.files[i]);
  }
  if (named > kMostNamed) names += fmt::format(" and {} more", named - kMostNamed);
  if (count > 0)
    frames.remarks.push_back(fmt::format(
        "{} {} left out: the OME text names {}, which {} not there", counted(count, "frame"),
        count == 1 ? "is" : "are", names, named == 1 ? "is" : "are"));
}

/// Takes the times of the frames from the planes, if all have one and they rise.
void takeTimes(const OmeText& ome, uint64_t samples, TiffFrames& frames) {
  std::map<uint64_t, double> byMoment;
  for (const OmeText::Time& time : ome.times)
    if (time.channel / samples == frames.channel && time.slice == frames.slice)
      byMoment.emplace(time.moment, time.seconds);
  if (byMoment.empty()) return;
  std::vector<double> times;
  for (const TiffFrame& frame : frames.frames) {
    const auto found = byMoment.find(frame.moment);
    if (found == byMoment.end() || (!times.empty() && found->second <= times.back())) {
      frames.remarks.push_back(
          "OME's DeltaT is not used for times: some frames have none, or the times do not rise");
      return;
    }
    times.push_back(found->second);
  }
  frames.times = std::move(times);
}

/// Reads the shape of all planes in the text of a file that tifffile wrote with a single directory:
/// {"shape": [6, 96, 128], "truncated": true}. Adds the planes behind the first one to the file.
void addTruncated(TiffFile& file, TiffFrames& frames) {
  const std::string& text = file.description();
  const std::string key = "\"shape\": [";
  const size_t at = text.find(key);
  if (!text.starts_with('{') || at == std::string::npos ||
      text.find("\"truncated\": true") == std::string::npos || file.pages() != 1)
    return;
  uint64_t values = 1;
  for (size_t begin = at + key.size(); begin < text.size();) {
    const size_t end = std::min(text.find_first_of(",]", begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const auto side = base::parseNumber<uint64_t>(
        word.substr(std::min(word.find_first_not_of(' '), word.size())));
    if (!side || *side == 0 || *side > kMostPlanes ||
        values > std::numeric_limits<uint64_t>::max() / *side)
      return;
    values *= *side;
    if (end == text.size() || text[end] == ']') break;
    begin = end + 1;
  }
  const TiffPage& page = file.page(0);
  if (page.planeBytes() == 0) return;
  const uint64_t planes = values / (uint64_t{page.width} * page.height * page.samples);
  if (planes > kMostPlanes) return;
  file.addPlanes(planes);
  if (file.pages() < planes)
    frames.remarks.push_back(fmt::format("its tifffile text promises {}, but only {} can be read",
                                         counted(planes, "plane"), file.pages()));
}

}  // namespace

TiffFrames tiffFrames(TiffFile& file, const TiffChoice& choice, OtherFiles others) {
  const std::string& text = file.description();
  TiffFrames frames;
  std::optional<Axes> axes;
  OmeText ome;
  if (text.starts_with("ImageJ=")) {
    axes = readImagej(file, frames);
  } else if (isOme(text)) {
    ome = readOme(text);
    axes = readOmeAxes(ome, file, frames);
  } else if (file.lostDescription()) {
    frames.remarks.push_back(fmt::format("its ImageDescription cannot be read: {}", kAllPages));
  } else {
    addTruncated(file, frames);
  }
  const std::vector<uint64_t> plain = axes ? std::vector<uint64_t>() : likeTheFirst(file);
  if (!axes) {
    axes.emplace();
    axes->moments = plain.size();
    for (const uint64_t page : plain) axes->planes.push_back({.page = page, .file = 0});
  }
  frames.channels = axes->channels;
  frames.slices = axes->slices;
  uint64_t length = axes->moments, step = axes->channels * axes->slices;
  frames.axis = "time points";
  if (axes->moments == 1 && axes->slices > 1) {
    length = std::exchange(frames.slices, 1);
    step = axes->channels;
    frames.axis = "slices";
  } else if (axes->moments == 1 && axes->channels > 1 && !choice.channel) {
    length = std::exchange(frames.channels, 1);
    step = 1;
    frames.axis = "channels";
  }
  if (frames.axis == "channels") frames.rate.reset();
  if (!frames.rate) frames.rateFrom.clear();
  frames.slice = chosen(choice.slice, frames.slices, "slice");
  const bool ofSamples = axes->channels == 1 && hasSampleChannels(file.page(0));
  if (ofSamples) frames.channels = file.page(0).samples;
  frames.channel = chosen(choice.channel, frames.channels, "channel");
  if (ofSamples) frames.sample = static_cast<uint16_t>(frames.channel);
  const uint64_t channelPlane = ofSamples || frames.axis == "channels" ? 0 : frames.channel;
  const std::vector<uint32_t> numbers = openOthers(*axes, file, others, frames);
  std::vector<uint64_t> lost(axes->files.size());
  for (uint64_t i = 0; i < length; ++i) {
    const Plane& plane = axes->planes[i * step + frames.slice * axes->channels + channelPlane];
    if (plane.file == Plane::kNowhere) continue;
    if (numbers[plane.file] == Plane::kNowhere)
      ++lost[plane.file - 1];
    else
      frames.frames.push_back({.page = plane.page, .file = numbers[plane.file], .moment = i});
  }
  noteMissingFiles(*axes, file, lost, frames);
  if (frames.axis == "time points")
    takeTimes(ome, std::max<uint64_t>(file.page(0).samples, 1), frames);
  return frames;
}

}  // namespace glint::capture
