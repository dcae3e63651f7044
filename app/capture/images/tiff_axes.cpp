#include "app/capture/images/tiff_axes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <numeric>
#include <string_view>

#include "app/base/text.h"
#include "config/error.h"

namespace glint::capture {
namespace {

constexpr uint64_t kMostPlanes = uint64_t{1} << 32;
constexpr uint64_t kMostElsewhere = 1'000'000;  // planes in other files

/// How many planes a stack has along each axis, and which page holds each.
struct Axes {
  uint64_t channels = 1, slices = 1, moments = 1;
  /// The page of channel c, slice z, moment t at (t * slices + z) * channels + c; kElsewhere: it is
  /// in another file.
  std::vector<uint64_t> pages;
};
constexpr uint64_t kElsewhere = ~uint64_t{0};

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

/// Returns the length of a unit of time in seconds; 0 if the unit is not known.
double secondsOf(std::string_view unit) {
  if (unit.empty() || unit == "s" || unit == "sec" || unit == "second" || unit == "seconds")
    return 1;
  if (unit == "ms" || unit == "msec" || unit == "milliseconds") return 1e-3;
  if (unit == "us" || unit == "usec" || unit == "µs" || unit == "microseconds") return 1e-6;
  if (unit == "ns") return 1e-9;
  if (unit == "min" || unit == "minutes") return 60;
  if (unit == "h" || unit == "hours") return 3600;
  return 0;
}

std::optional<double> rateOf(std::optional<double> interval, std::string_view unit) {
  const double seconds = interval.value_or(0) * secondsOf(unit);
  return seconds > 0 ? std::optional(1 / seconds) : std::nullopt;
}

std::optional<Axes> imagejAxes(const std::string& text, uint64_t pages) {
  Axes axes{.channels = imagejCount(text, "channels"),
            .slices = imagejCount(text, "slices"),
            .moments = imagejCount(text, "frames"),
            .pages = {}};
  const uint64_t images = imagejCount(text, "images");
  const uint64_t planes = product(axes.channels, axes.slices, axes.moments);
  // ImageJ counts the colours of a picture as channels, too.
  if (planes != images || (planes == 1 && pages > 1)) return std::nullopt;
  const uint64_t each = axes.channels * axes.slices;
  // One moment that is not there is enough to tell that the file is cut short.
  if (each <= pages)
    axes.moments = std::min(axes.moments, pages / each + 1);
  else if (planes > pages)
    axes = {.channels = 1, .slices = 1, .moments = pages + 1, .pages = {}};
  axes.pages.resize(axes.channels * axes.slices * axes.moments);
  std::iota(axes.pages.begin(), axes.pages.end(), uint64_t{0});
  return axes;
}

/// Returns the text of the first element `name` of an XML text, from its name to its '>', with any
/// prefix of a namespace; moves `at` behind it. Empty at the end.
std::string_view nextElement(std::string_view text, std::string_view name, size_t& at) {
  while ((at = text.find(name, at)) != std::string_view::npos) {
    const size_t begin = at, end = at + name.size();
    at = end;
    const bool opens = begin > 0 && (text[begin - 1] == '<' || text[begin - 1] == ':');
    const bool whole = end < text.size() && (std::isspace(static_cast<unsigned char>(text[end])) ||
                                             text[end] == '>' || text[end] == '/');
    const size_t slash = text.rfind('<', begin);
    if (!opens || !whole || slash == std::string_view::npos || text[slash + 1] == '/') continue;
    const size_t close = text.find('>', end);
    at = close == std::string_view::npos ? text.size() : close + 1;
    return text.substr(begin, at - begin);
  }
  at = text.size();
  return {};
}

std::string attribute(std::string_view element, std::string_view name) {
  for (size_t at = 0; (at = element.find(name, at)) != std::string_view::npos; at += name.size()) {
    if (at == 0 || !std::isspace(static_cast<unsigned char>(element[at - 1]))) continue;
    size_t value = at + name.size();
    if (value + 1 >= element.size() || element[value] != '=') continue;
    const char quote = element[++value];
    const size_t end = element.find(quote, ++value);
    if ((quote != '"' && quote != '\'') || end == std::string_view::npos) continue;
    return std::string(element.substr(value, end - value));
  }
  return {};
}

std::optional<uint64_t> count(std::string_view element, std::string_view name) {
  return base::parseNumber<uint64_t>(attribute(element, name));
}

/// The planes of an OME-TIFF, of which elements TiffData may tell where they are (OME-TIFF
/// specification, "The TiffData element").
std::optional<Axes> omeAxes(const std::string& text, const std::string& path, uint64_t pages,
                            const TiffPage& page) {
  size_t at = 0;
  const std::string_view pixels = nextElement(text, "Pixels", at);
  if (pixels.empty()) return std::nullopt;
  Axes axes{.channels = count(pixels, "SizeC").value_or(1),
            .slices = count(pixels, "SizeZ").value_or(1),
            .moments = count(pixels, "SizeT").value_or(1),
            .pages = {}};
  // The samples of a colour, or of a page that holds all channels, are counted in SizeC.
  if (page.samples > 1 && axes.channels % page.samples == 0) axes.channels /= page.samples;
  const uint64_t planes = product(axes.channels, axes.slices, axes.moments);
  std::string order = attribute(pixels, "DimensionOrder");
  if (!order.starts_with("XY") || order.size() != 5) order = "XYCZT";
  const bool knows = order.find('C') != std::string::npos && order.find('Z') != std::string::npos &&
                     order.find('T') != std::string::npos;
  if (planes == 0 || planes > 64 * pages + kMostElsewhere || !knows) return std::nullopt;
  axes.pages.assign(planes, kElsewhere);
  const auto lengthOf = [&](char axis) {
    return axis == 'C' ? axes.channels : axis == 'Z' ? axes.slices : axes.moments;
  };
  // The place among axes.pages of the plane that comes n-th in the order of the file.
  const auto placeOf = [&](uint64_t n) {
    uint64_t c = 0, z = 0, t = 0;
    for (const char axis : order.substr(2)) {
      (axis == 'C' ? c : axis == 'Z' ? z : t) = n % lengthOf(axis);
      n /= lengthOf(axis);
    }
    return (t * axes.slices + z) * axes.channels + c;
  };
  const auto numberOf = [&](uint64_t c, uint64_t z, uint64_t t) {
    uint64_t n = 0, step = 1;
    for (const char axis : order.substr(2)) {
      n += step * (axis == 'C' ? c : axis == 'Z' ? z : t);
      step *= lengthOf(axis);
    }
    return n;
  };
  const std::string own = std::filesystem::path(path).filename().string();
  bool told = false;
  for (std::string_view data = nextElement(text, "TiffData", at); !data.empty();
       data = nextElement(text, "TiffData", at)) {
    told = true;
    const auto first = count(data, "IFD");
    const uint64_t most = count(data, "PlaneCount").value_or(first ? 1 : pages);
    const uint64_t samples = page.samples > 1 ? page.samples : 1;
    const uint64_t number =
        numberOf(count(data, "FirstC").value_or(0) / samples, count(data, "FirstZ").value_or(0),
                 count(data, "FirstT").value_or(0));
    if (!data.ends_with("/>")) {
      size_t inside = at;
      const std::string_view uuid = nextElement(text, "UUID", inside);
      const bool within =
          !uuid.empty() && inside < std::min(text.find("TiffData", at), text.size());
      const std::string name = within ? attribute(uuid, "FileName") : "";
      if (!name.empty() && name != own) continue;
    }
    for (uint64_t i = 0; i < most && number + i < planes; ++i)
      axes.pages[placeOf(number + i)] = first.value_or(0) + i;
  }
  if (!told)
    for (uint64_t i = 0; i < planes; ++i) axes.pages[placeOf(i)] = i;
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

TiffFrames tiffFrames(TiffFile& file, const TiffChoice& choice) {
  const std::string& text = file.description();
  TiffFrames frames;
  std::optional<Axes> axes;
  std::optional<double> rate;
  if (text.starts_with("ImageJ=")) {
    if (const uint64_t images = imagejCount(text, "images"); file.pages() == 1 && images > 1)
      file.addPlanes(images);
    axes = imagejAxes(text, file.pages());
    rate = rateOf(imagejNumber(text, "finterval"), imagejValue(text, "tunit").value_or(""));
    frames.rateFrom = "ImageJ's finterval";
    const auto fps = imagejNumber(text, "fps");
    if (!rate && fps && *fps > 0) {
      rate = fps;
      frames.rateFrom = "ImageJ's fps";
    }
  } else if (text.find("<OME") != std::string::npos || text.find(":OME") != std::string::npos) {
    axes = omeAxes(text, file.name(), file.pages(), file.page(0));
    size_t at = 0;
    const std::string_view pixels = nextElement(text, "Pixels", at);
    rate = rateOf(base::parseNumber<double>(attribute(pixels, "TimeIncrement")),
                  attribute(pixels, "TimeIncrementUnit"));
    frames.rateFrom = "OME's TimeIncrement";
  }
  if (!axes) {
    axes.emplace();
    axes->pages = likeTheFirst(file);
    axes->moments = axes->pages.size();
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
  if (frames.axis != "channels") frames.rate = rate;
  if (!frames.rate) frames.rateFrom.clear();
  frames.slice = chosen(choice.slice, frames.slices, "slice");
  const bool ofSamples = axes->channels == 1 && hasSampleChannels(file.page(0));
  if (ofSamples) frames.channels = file.page(0).samples;
  frames.channel = chosen(choice.channel, frames.channels, "channel");
  if (ofSamples) frames.sample = static_cast<uint16_t>(frames.channel);
  const uint64_t channelPlane = ofSamples || frames.axis == "channels" ? 0 : frames.channel;
  for (uint64_t i = 0; i < length; ++i) {
    const uint64_t page = axes->pages[i * step + frames.slice * axes->channels + channelPlane];
    page == kElsewhere ? void(++frames.elsewhere) : frames.pages.push_back(page);
  }
  return frames;
}

}  // namespace glint::capture
