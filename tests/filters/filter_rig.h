// Runs chains of filters on made-up frames, for the tests of filters.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "config/filter_catalog.h"
#include "gpu/filters/chain.h"
#include "tests/gpu/rig.h"

namespace glint::test {

/// Those that all tests share, for as long as the device.
gpu::FilterKernels& filterKernels();

/// Runs a chain on frames of one format, one after the other.
class ChainRig {
 public:
  ChainRig(const gpu::FrameFormat& format, const FilterUses& chain,
           const gpu::FilterImages& images = nullptr, const std::string& keep = "",
           bool colour = true, std::optional<bool> tiles = {});

  /// What they make of a frame of all layers; `sequence`: its number. With `viewed`, the id of a
  /// filter, that one's plane is in view() then.
  std::vector<reference::Image> run(const std::vector<reference::Image>& images, uint64_t sequence,
                                    const std::string& viewed = "");
  const std::vector<reference::Image>& view() const { return view_; }

  /// Of the last frame's first layer.
  std::optional<gpu::TemplateFit> fitAt(uint32_t x, uint32_t y);

  FilterUses uses;  ///< parameters may be changed

 private:
  gpu::FrameFormat format_;
  std::unique_ptr<gpu::FrameSlot> slot_;
  gpu::FilterChain chain_;
  std::vector<reference::Image> view_;
};

FilterUses chainOf(std::initializer_list<const char*> uses);

/// Files "second", "dark" (up to an eighth of full scale) and "few" (a fifth is 1).
gpu::FilterImages filesFor(const gpu::ImageFormat& format, uint32_t layers);

/// A template: 7x5 px.
gpu::FilterImage lookFor(uint32_t bits);

cv::Mat matOf(const reference::Image& image);

/// Values may differ by `allowed` counts, and a share of `mayDiffer` of them by more.
void expectAlike(const reference::Image& got, const reference::Image& want, uint32_t allowed,
                 double mayDiffer = 0);

}  // namespace glint::test
