#include "tests/filters/filter_rig.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include <gtest/gtest.h>

namespace glint::test {

using reference::Image;

gpu::FilterKernels& filterKernels() {
  // The kernels live as long as the device.
  static auto* const made = new gpu::FilterKernels(test::device());
  return *made;
}

namespace {

std::vector<Image> luminances(const std::vector<Image>& images) {
  if (images[0].format.channels == 1) return images;
  std::vector<Image> grey;
  for (const Image& image : images) grey.push_back(reference::luminance(image));
  return grey;
}

}  // namespace

ChainRig::ChainRig(const gpu::FrameFormat& format, const FilterUses& chain,
                   const gpu::FilterImages& images, const std::string& keep, bool colour,
                   std::optional<bool> tiles)
    : uses(chain),
      format_(format),
      slot_(std::move(gpu::makeSlots(device(), format, 1)[0])),
      chain_(device(), passes(format.image.bits), filterKernels(), format, chain, images,
             {keep, colour, tiles}) {}

std::vector<Image> ChainRig::run(const std::vector<Image>& images, uint64_t sequence,
                                 const std::string& viewed) {
  for (uint32_t l = 0; l < format_.layers; ++l) slot_->set(l, {.sequence = FrameNumber(sequence)});
  const DevicePlane source(images), luminance(luminances(images));
  const DevicePlane out(chain_.keptFormat(), format_.layers);
  gpu::ImageFormat colour = format_.image;
  colour.channels = 3;
  const gpu::Buffer viewedIn(device(), gpu::planeBytes(gpu::planeShape(colour), format_.layers),
                             gpu::MemoryUse::device, "view");
  std::optional<gpu::ViewedPlane> seen;
  const size_t runs = chain_.runsFor(*slot_);
  for (size_t i = 0; i < runs; ++i) {
    runNow([&](gpu::Recorder& r) {
      const gpu::ChainPlanes planes =
          chain_.record(r, *slot_, uses, source.plane(), luminance.plane(),
                        {viewed, viewed.empty() ? nullptr : &viewedIn});
      seen = planes.viewed;
      r.copy(*planes.kept.buffer, out.buffer, out.buffer.size());
    });
    chain_.learn();
  }
  if (seen) {
    const DevicePlane plane(seen->format, format_.layers);
    runNow([&](gpu::Recorder& r) { r.copy(viewedIn, plane.buffer, plane.buffer.size()); });
    view_ = plane.read();
  }
  return out.read();
}

std::optional<gpu::TemplateFit> ChainRig::fitAt(uint32_t x, uint32_t y) {
  const auto match = chain_.matchesAt({{{x, y}}}, false)[0][0];
  return match ? std::optional(match->fit) : std::nullopt;
}
gpu::FilterImages filesFor(const gpu::ImageFormat& format, uint32_t layers) {
  const uint32_t full = format.fullScale();
  const auto pattern = [&](const char* name, auto value) {
    return std::pair(std::string(name), makeImages({name, value}, format, layers));
  };
  const auto mix = [](uint32_t x, uint32_t y, uint32_t l) {
    return (x * 7919 + y * 104729 + l * 31) * 2654435761U >> 8;
  };
  std::map<std::string, std::vector<gpu::FilterImage>> files;
  for (const auto& [name, images] :
       {pattern("second", [&](auto x, auto y, auto l,
                              auto&) { return std::min(mix(x, y, l) % (full + full / 4), full); }),
        pattern("dark",
                [&](auto x, auto y, auto l, auto&) { return mix(x + 9, y, l) % (full / 8); }),
        pattern("few", [&](auto x, auto y, auto l, auto&) {
          return mix(x, y + 3, l) % 5 == 0 ? 1U : 0U;
        })}) {
    for (const Image& image : images) files[name].push_back({image.format, image.values});
  }
  return std::make_shared<const std::map<std::string, std::vector<gpu::FilterImage>>>(
      std::move(files));
}

gpu::FilterImage lookFor(uint32_t bits) {
  gpu::FilterImage pattern{{7, 5, 1, bits}, {}};
  for (uint32_t i = 0; i < 35; ++i)
    pattern.values.push_back(static_cast<uint16_t>((i + 3) * 2654435761U >> (32 - bits)));
  return pattern;
}

FilterUses chainOf(std::initializer_list<const char*> uses) {
  FilterUses chain;
  for (const char* use : uses) chain.push_back(filters::parseUse(use, "test"));
  return chain;
}

cv::Mat matOf(const Image& image) {
  cv::Mat mat(static_cast<int>(image.format.height), static_cast<int>(image.format.width),
              CV_MAKETYPE(image.format.bits == 8 ? CV_8U : CV_16U,
                          static_cast<int>(image.format.channels)));
  for (size_t i = 0; i < image.values.size(); ++i) {
    if (image.format.bits == 8)
      mat.ptr<uint8_t>()[i] = static_cast<uint8_t>(image.values[i]);
    else
      mat.ptr<uint16_t>()[i] = image.values[i];
  }
  return mat;
}

void expectAlike(const Image& got, const Image& want, uint32_t allowed, double mayDiffer) {
  ASSERT_EQ(got.values.size(), want.values.size());
  size_t differ = 0, first = 0;
  for (size_t i = 0; i < got.values.size(); ++i) {
    if (std::abs(int{got.values[i]} - int{want.values[i]}) <= static_cast<int>(allowed)) continue;
    if (differ++ == 0) first = i;
  }
  EXPECT_LE(static_cast<double>(differ), mayDiffer * static_cast<double>(got.values.size()))
      << "value " << first << " is " << got.values[first] << " for " << want.values[first];
}

}  // namespace glint::test
