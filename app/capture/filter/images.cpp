#include "app/capture/filter/images.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>

#include <opencv2/core.hpp>

#include "app/base/paths.h"
#include "app/base/text.h"
#include "app/capture/filter/colour_table.h"
#include "app/capture/images/image_file.h"
#include "app/capture/mask/mask.h"
#include "app/capture/source/source_kinds.h"
#include "app/motion/track/samples.h"
#include "config/error.h"
#include "config/filter_catalog.h"

namespace glint::capture {
namespace {

/// The file that an input of a filter names behind "file:".
struct FilterFile {
  Address name;
  filters::Input::Form form = filters::Input::Form::plane;
  bool operator==(const FilterFile&) const = default;
};

/// Returns the files of all filters in their order, each once.
std::vector<FilterFile> filterFiles(const FilterUses& uses) {
  std::vector<FilterFile> files;
  for (const FilterUse& use : uses) {
    const auto& further = filters::catalog().get(use.name, "filters").head.inputs;
    for (const auto& [input, from] : use.inputs) {
      const auto name = filters::fileOf(from);
      if (!name) continue;
      FilterFile file{*name};
      for (const auto& known : further)
        if (known.name == input) file.form = known.form;
      if (std::ranges::find(files, file) == files.end()) files.push_back(file);
    }
  }
  return files;
}

/// Returns true if a frame of a recording is meant, as by "clip.mkv#12".
bool isFrame(const Address& name, filters::Input::Form form) {
  return form == filters::Input::Form::pattern && name.shown().find('#') != std::string::npos;
}

/// Returns "clip.mkv" of "clip.mkv#12".
Address recordingOf(const Address& frame) {
  return Address(frame.real().substr(0, frame.real().rfind('#')));
}

/// Returns the places of a camera's tracks, rounded to whole pixels, as marks.
gpu::FilterImage loadMarks(const std::string& path, size_t camera) {
  gpu::FilterImage image{.format = {}, .values = {}, .hasMarks = true};
  for (const motion::Sample& sample : motion::readTracks(path)) {
    if (sample.camera == camera)
      image.marks.push_back({sample.frame, std::llround(sample.x), std::llround(sample.y)});
  }
  return image;
}

gpu::FilterImage loadImage(const std::string& path) {
  const cv::Mat image = readImageFile(path);
  const auto channels = static_cast<uint32_t>(image.channels());
  const uint32_t bits = image.depth() == CV_8U ? 8 : 16;
  gpu::FilterImage read{
      {static_cast<uint32_t>(image.cols), static_cast<uint32_t>(image.rows), channels, bits}, {}};
  for (int y = 0; y < image.rows; ++y) {
    for (int i = 0; i < image.cols * image.channels(); ++i)
      read.values.push_back(bits == 8 ? image.ptr<uint8_t>(y)[i] : image.ptr<uint16_t>(y)[i]);
  }
  return read;
}

/// Frame 12 of clip.mkv, by "clip.mkv#12".
gpu::FilterImage loadFrame(const Address& name) {
  const std::string& shown = name.shown();
  const auto number = base::parseNumber<uint64_t>(shown.substr(shown.rfind('#') + 1));
  if (!number) throw Error("'{}' has no frame number after #", shown);
  const uint64_t wanted = *number;
  const auto source = openSource(recordingOf(name));
  if (source->isLive())
    throw Error("'{}' is a camera, which has no frame {}", source->name(), wanted);
  const gpu::ImageFormat format = source->format();
  const size_t bytes = format.bits / 8;
  std::vector<std::byte> pixels(format.pixels() * format.channels * bytes);
  for (uint64_t frames = 0; frames <= wanted;) {
    const Reading reading =
        source->read({format, pixels.data(), format.width * format.channels * bytes});
    if (reading.state == gpu::CameraState::ended)
      throw Error("'{}' has no frame {}", source->name(), wanted);
    frames += reading.state == gpu::CameraState::frame ? 1 : 0;
  }
  gpu::FilterImage read{format, {}};
  for (size_t at = 0; at < pixels.size(); at += bytes) {
    uint16_t v = 0;
    std::memcpy(&v, &pixels[at], bytes);  // little endian
    read.values.push_back(v);
  }
  return read;
}

gpu::FilterImage load(const Address& name, filters::Input::Form form, size_t camera) {
  const bool colours = form == filters::Input::Form::colours;
  const bool frame = isFrame(name, form);
  const std::string& path = name.shown();
  try {
    if (base::isDevice((frame ? recordingOf(name) : name).shown()))  // it could wait for ever
      throw Error("'{}' is a device or a pipe; copy it into a file", path);
    if (colours) return {.format = {}, .values = {}, .table = readColourTable(path)};
    if (frame) return loadFrame(name);
    return path.ends_with(".csv") ? loadMarks(path, camera) : loadImage(path);
  } catch (const std::exception& error) {
    throw UsageError("{} that a filter reads: {}", colours ? "a table" : "an image", error.what());
  }
}

class FileImages final : public motion::SettingImages {
 public:
  std::vector<gpu::LayerMask> masks(const Settings::Detect& detect,
                                    const std::vector<size_t>& cameras, size_t count,
                                    const gpu::ImageFormat& format) const override {
    std::vector<gpu::LayerMask> masks;
    for (const size_t camera : cameras)
      masks.push_back(measuredPixels(detect, camera, count, format));
    const bool any = std::ranges::any_of(masks, [](const auto& m) { return !m.empty(); });
    return any ? masks : std::vector<gpu::LayerMask>();
  }
  gpu::FilterImages filterImages(const FilterUses& filters, const std::vector<size_t>& cameras,
                                 size_t count) const override {
    return loadFilterImages(filters, cameras, count);
  }
};

}  // namespace

std::vector<std::string> filterPaths(const FilterUses& uses, size_t count) {
  std::vector<std::string> all;
  for (const FilterFile& file : filterFiles(uses)) {
    for (const std::string& text : maskPaths(file.name.real(), count)) {
      const Address path(text);
      const Address sources[] = {isFrame(path, file.form) ? recordingOf(path) : path};
      std::ranges::move(inputFiles(sources), std::back_inserter(all));
    }
  }
  return all;
}

gpu::FilterImages loadFilterImages(const FilterUses& uses, const std::vector<size_t>& cameras,
                                   size_t count) {
  const auto files = filterFiles(uses);
  if (files.empty()) return nullptr;
  std::map<std::string, std::vector<gpu::FilterImage>> images;
  for (const FilterFile& file : files) {
    const auto paths = maskPaths(file.name.real(), count);
    for (const size_t camera : cameras)
      images[gpu::imageKey(file.form, file.name)].push_back(
          load(Address(paths[camera]), file.form, camera));
  }
  return std::make_shared<const std::map<std::string, std::vector<gpu::FilterImage>>>(
      std::move(images));
}

std::shared_ptr<const motion::SettingImages> fileImages() {
  return std::make_shared<FileImages>();
}

}  // namespace glint::capture
