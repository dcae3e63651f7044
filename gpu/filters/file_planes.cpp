#include "gpu/filters/file_planes.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "config/error.h"
#include "gpu/frame_pool.h"

namespace glint::gpu {
namespace {

std::string sizeText(const ImageFormat& image) {
  return std::to_string(image.width) + "x" + std::to_string(image.height);
}

/// Returns one value of an image that is to have `channels` channels: the luminance where grey is
/// made from colour, the same value in all channels where colour is made from grey.
uint32_t fileValue(const FilterImage& image, size_t pixel, uint32_t channel, uint32_t channels) {
  if (image.format.channels == channels) return image.values[pixel * channels + channel];
  if (image.format.channels == 1) return image.values[pixel];
  const uint16_t* bgr = &image.values[pixel * 3];
  return (19U * bgr[0] + 183U * bgr[1] + 54U * bgr[2] + 128) >> 8;
}

void fillImage(Buffer& buffer, const FilterImage& image, uint32_t layer, uint32_t channels,
               const shared::PlaneShape& shape) {
  const size_t bytes = image.format.bits / 8;
  for (size_t y = 0; y < shape.height; ++y) {
    std::byte* row =
        buffer.mapped().data() + (size_t{layer} * shape.layerStride + y * shape.pitch) * 4;
    for (size_t x = 0; x < shape.width; ++x) {
      for (uint32_t c = 0; c < channels; ++c) {
        const uint32_t value = fileValue(image, y * shape.width + x, c, channels);
        std::memcpy(row + (x * channels + c) * bytes, &value, bytes);  // little endian
      }
    }
  }
}

}  // namespace

const std::vector<FilterImage>& FilePlanes::imagesOf(const FilterUse& use, const Address& file,
                                                     filters::Input::Form form) const {
  if (graph_.images) {
    const auto images = graph_.images->find(imageKey(form, file));
    if (images != graph_.images->end()) return images->second;
  }
  throw UsageError("the filter '" + use.id + "': the image '" + file.shown() + "' was not read");
}

void FilePlanes::checkDepth(const FilterUse& use, const Address& file,
                            const FilterImage& image) const {
  if (image.format.bits != graph_.format.image.bits)
    throw UsageError("the filter '" + use.id + "': the image '" + file.shown() + "' has " +
                     std::to_string(image.format.bits) + " bits, but the frames have " +
                     std::to_string(graph_.format.image.bits));
}

size_t FilePlanes::image(const FilterUse& use, const Address& file, uint32_t channels) {
  const auto& images = imagesOf(use, file, filters::Input::Form::plane);
  const auto key = std::make_pair(file, channels);
  if (const auto found = images_.find(key); found != images_.end()) return found->second;
  FilterGraph::Value value{.channels = channels};
  if (images.front().hasMarks)
    value.content = FilterGraph::Value::Marks{
        std::make_shared<Buffer>(graph_.device, graph_.frameBytes(channels), MemoryUse::upload,
                                 "marks"),
        &images};
  else
    value.content = imageOf(use, file, images, channels);
  return images_[key] = graph_.add(std::move(value));
}

FilterGraph::Value::File FilePlanes::imageOf(const FilterUse& use, const Address& file,
                                             const std::vector<FilterImage>& images,
                                             uint32_t channels) const {
  auto buffer = std::make_shared<Buffer>(graph_.device, graph_.frameBytes(channels),
                                         MemoryUse::upload, "image '" + file.shown() + "'");
  const ImageFormat& format = graph_.format.image;
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    const FilterImage& image = images.at(l);
    if (image.format.width != format.width || image.format.height != format.height)
      throw UsageError("the filter '" + use.id + "': the image '" + file.shown() + "' is " +
                       sizeText(image.format) + ", but the frames are " + sizeText(format));
    checkDepth(use, file, image);
    fillImage(*buffer, image, l, channels, graph_.frameShape(channels));
  }
  FilterGraph::Value::File content{buffer};
  for (const FilterImage& image : images) {
    double sum = 0;
    for (const uint16_t v : image.values) sum += v;
    content.means.push_back(sum / static_cast<double>(image.values.size()));
  }
  return content;
}

size_t FilePlanes::pattern(const FilterUse& use, const Address& file) {
  const auto& images = imagesOf(use, file, filters::Input::Form::pattern);
  for (const FilterImage& image : images) checkDepth(use, file, image);
  return graph_.add({.channels = 1, .content = FilterGraph::Value::Variants{&images}});
}

size_t FilePlanes::colours(const FilterUse& use, const Address& file) {
  if (const auto found = tables_.find(file); found != tables_.end()) return found->second;
  const auto& images = imagesOf(use, file, filters::Input::Form::colours);
  std::vector<uint32_t> words(graph_.format.layers);
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    words[l] = static_cast<uint32_t>(words.size());
    const ColourTable& table = images.at(l).table;
    words.insert(words.end(), table.begin(), table.end());
  }
  auto buffer = std::make_shared<Buffer>(graph_.device, words.size() * 4, MemoryUse::settings,
                                         "table '" + file.shown() + "'");
  std::copy(words.begin(), words.end(), buffer->as<uint32_t>().begin());
  return tables_[file] = graph_.add({.channels = 1, .content = FilterGraph::Value::File{buffer}});
}

}  // namespace glint::gpu
