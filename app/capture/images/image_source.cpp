#include "app/capture/images/image_source.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <opencv2/core.hpp>

#include "app/base/text.h"
#include "app/capture/images/image_file.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/pipe_input.h"
#include "app/capture/source/source_kinds.h"
#include "config/error.h"

namespace glint::capture {
namespace fs = std::filesystem;
namespace {

constexpr int kLargestStart = 9999;
constexpr double kLeastFps = 0.0001, kMostFps = 1'000'000;
constexpr std::array<std::string_view, 9> kSuffixes{".png", ".tif", ".tiff", ".pgm", ".ppm",
                                                    ".pnm", ".jpg", ".jpeg", ".bmp"};

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool hasImageSuffix(const fs::path& path) {
  const std::string suffix = base::lowerCase(path.extension().string());
  return std::ranges::find(kSuffixes, suffix) != kSuffixes.end();
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool isFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

struct Spec {
  std::string path;
  double fps = kImageSequenceFps;
  bool hasRate = false;  ///< true if the user gave a rate
};

// Returns the position where the query begins; npos if a file has this very name with its '?'.
size_t queryStart(const std::string& spec) {
  return exists(spec) ? std::string::npos : spec.rfind('?');
}

Spec parseSpec(const std::string& text) {
  const size_t start = queryStart(text);
  Spec spec{.path = text.substr(0, start)};
  if (start == std::string::npos) return spec;
  const std::string query = text.substr(start + 1);
  if (!query.starts_with("fps=")) {
    throw UsageError("'{}': unknown option '{}' (images know only ?fps=RATE)", text, query);
  }
  const auto fps = base::parseNumber<double>(query.substr(4));
  if (!fps || *fps < kLeastFps || *fps > kMostFps) {
    throw UsageError("'{}': fps must be a number of frames a second from {} to {}", text, kLeastFps,
                     kMostFps);
  }
  spec.fps = *fps;
  spec.hasRate = true;
  return spec;
}

struct Pattern {
  std::string before, after;
  int digits = 0;  ///< least number of digits, padded with zeros

  std::string path(int number) const {
    return fmt::format("{}{:0{}}{}", before, number, digits, after);
  }
};

// Returns the parts of a path around its first %d, %Nd or %0Nd; empty if it has none.
std::optional<Pattern> parsePattern(const std::string& path) {
  if (exists(path)) return std::nullopt;
  for (size_t at = path.find('%'); at != std::string::npos; at = path.find('%', at + 1)) {
    size_t stop = at + 1;
    while (stop < path.size() && stop - at < 4 && isDigit(path[stop])) ++stop;
    if (stop == path.size() || path[stop] != 'd') continue;
    return Pattern{.before = path.substr(0, at),
                   .after = path.substr(stop + 1),
                   .digits = stop > at + 1 ? std::stoi(path.substr(at + 1, stop - at - 1)) : 0};
  }
  return std::nullopt;
}

std::vector<std::string> listPattern(const Pattern& pattern) {
  int number = 0;
  while (number <= kLargestStart && !exists(pattern.path(number))) ++number;
  std::vector<std::string> paths;
  for (; number <= kLargestStart || !paths.empty(); ++number) {
    std::string path = pattern.path(number);
    if (!exists(path)) break;
    paths.push_back(std::move(path));
  }
  return paths;
}

std::vector<std::string> listFolder(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> paths;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.filename().native().front() == '.' || !hasImageSuffix(path)) continue;
    if (entry->is_directory()) continue;
    if (isPipe(path.string()))
      throw Error("'{}' is a pipe among images; copy it into a file", path.string());
    paths.push_back(path.string());
  }
  if (error) throw Error("cannot read the folder '{}': {}", folder, error.message());
  std::ranges::sort(paths, naturalLess);
  return paths;
}

std::vector<std::string> listImages(const std::string& path) {
  if (isFolder(path)) return listFolder(path);
  if (const auto pattern = parsePattern(path)) return listPattern(*pattern);
  if (!exists(path)) throw Error("cannot open '{}': no such file or directory", path);
  return {path};
}

gpu::ImageFormat formatOf(const cv::Mat& image) {
  return {.width = static_cast<uint32_t>(image.cols),
          .height = static_cast<uint32_t>(image.rows),
          .channels = static_cast<uint32_t>(image.channels()),
          .bits = image.depth() == CV_8U ? 8U : 16U};
}

std::string describe(const gpu::ImageFormat& f) {
  return fmt::format("{} x {}, {} of {} bits", f.width, f.height,
                     f.channels == 1 ? "grey" : "colour", f.bits);
}

class ImageSource final : public Source {
 public:
  ImageSource(std::string name, std::vector<std::string> paths, const Spec& spec,
              const Interrupt* interrupt)
      : name_(std::move(name)),
        paths_(std::move(paths)),
        fps_(spec.fps),
        hasRate_(spec.hasRate),
        interrupt_(interrupt) {
    first_ = readImageFile(paths_.front(), interrupt);
    format_ = formatOf(first_);
  }
  const gpu::ImageFormat& format() const override { return format_; }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return paths_.size(); }
  std::optional<double> statedRate() override {
    return hasRate_ ? std::optional(fps_) : std::nullopt;
  }
  std::vector<double> frameTimes() override {
    std::vector<double> times;
    for (uint64_t i = 0; i < paths_.size(); ++i) times.push_back(timeOf(i));
    return times;
  }
  bool canSeek() const override { return true; }
  void seek(FrameNumber frame) override { next_ = frame.value(); }
  Reading read(const gpu::ImageView& view) override;

 private:
  double timeOf(uint64_t frame) const { return static_cast<double>(frame) / fps_; }

  std::string name_;
  std::vector<std::string> paths_;
  double fps_;
  bool hasRate_;
  const Interrupt* interrupt_;
  cv::Mat first_;  ///< the first image; empty once read() has given it
  gpu::ImageFormat format_;
  uint64_t next_ = 0;
};

Reading ImageSource::read(const gpu::ImageView& view) {
  assert(view.format == format_);
  if (next_ >= paths_.size()) return {};
  const std::string& path = paths_[next_];
  const bool kept = next_ == 0 && !first_.empty();
  cv::Mat image;
  try {
    image = kept ? std::exchange(first_, {}) : readImageFile(path, interrupt_);
  } catch (const Interrupted&) {
    return {gpu::CameraState::none};
  }
  if (const gpu::ImageFormat found = formatOf(image); !(found == format_)) {
    throw Error("'{}' is {}, but the sequence began with {}", path, describe(found),
                describe(format_));
  }
  const size_t rowBytes = size_t{format_.width} * format_.bytesPerPixel();
  for (uint32_t y = 0; y < format_.height; ++y) {
    std::memcpy(view.row(y), image.ptr(static_cast<int>(y)), rowBytes);
  }
  const double time = timeOf(next_);
  return {gpu::CameraState::frame, {.sequence = FrameNumber(next_++), .time = time}};
}

// Takes the run of digits at the front of `text` away, and returns it without leading zeros.
std::string_view takeNumber(std::string_view& text) {
  const auto stop = std::ranges::find_if_not(text, isDigit);
  std::string_view number = text.substr(0, static_cast<size_t>(stop - text.begin()));
  text.remove_prefix(number.size());
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool isImageSpec(const std::string& spec) {
  const std::string path = spec.substr(0, queryStart(spec));
  return isFolder(path) || parsePattern(path) || hasImageSuffix(path);
}

std::unique_ptr<Source> openImages(const std::string& text, const Interrupt* interrupt) {
  const Spec spec = parseSpec(text);
  std::vector<std::string> paths = listImages(spec.path);
  if (paths.empty()) throw Error("no images in '{}'", spec.path);
  return std::make_unique<ImageSource>(text, std::move(paths), spec, interrupt);
}

extern const SourceKind kImagesKind{
    .sort = SourceKind::Sort::pictures,
    .help = "folder or pattern of images",
    .accepts = isImageSpec,
    .open = [](const Address& address, const Interrupt* interrupt,
               const Settings::Camera&) { return openImages(address.shown(), interrupt); },
    .files = [](const std::string& spec) { return listImages(parseSpec(spec).path); }};

bool naturalLess(std::string_view a, std::string_view b) {
  std::string_view restA = a, restB = b;
  while (!restA.empty() && !restB.empty()) {
    if (isDigit(restA.front()) && isDigit(restB.front())) {
      const std::string_view numberA = takeNumber(restA), numberB = takeNumber(restB);
      if (numberA.size() != numberB.size()) return numberA.size() < numberB.size();
      if (numberA != numberB) return numberA < numberB;
    } else {
      if (restA.front() != restB.front()) return restA.front() < restB.front();
      restA.remove_prefix(1);
      restB.remove_prefix(1);
    }
  }
  // Names that differ only in leading zeros (1.png, 01.png) still need one order.
  return restA.empty() && restB.empty() ? a < b : restA.size() < restB.size();
}

}  // namespace glint::capture
