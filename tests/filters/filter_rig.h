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

/// Returns the kernels that all tests share. They live as long as the device.
gpu::FilterKernels& filterKernels();

/// Runs a chain on frames of one format, one after the other.
class ChainRig {
 public:
  ChainRig(const gpu::FrameFormat& format, const FilterUses& chain,
           const gpu::FilterImages& images = nullptr, const std::string& keep = "",
           bool colour = true, std::optional<bool> tiles = {});

  /// Returns what the chain makes of a frame, one image for each layer. `sequence` is the frame's
  /// number. If `viewed` is the id of a filter, view() returns that filter's plane afterwards.
  std::vector<reference::Image> run(const std::vector<reference::Image>& images, uint64_t sequence,
                                    const std::string& viewed = "");
  const std::vector<reference::Image>& view() const { return view_; }

  /// Returns how the template fits at (x, y) in the last frame's first layer, or nothing if it does
  /// not.
  std::optional<gpu::TemplateFit> fitAt(uint32_t x, uint32_t y);

  FilterUses uses;  ///< The chain; its parameters may be changed between frames.

 private:
  gpu::FrameFormat format_;
  std::unique_ptr<gpu::FrameSlot> slot_;
  gpu::FilterChain chain_;
  std::vector<reference::Image> view_;
};

FilterUses chainOf(std::initializer_list<const char*> uses);

/// Returns the files "second", "dark" (values up to an eighth of full scale) and "few" (a fifth of
/// the values is 1).
gpu::FilterImages filesFor(const gpu::ImageFormat& format, uint32_t layers);

/// Returns a template of 7x5 px.
gpu::FilterImage lookFor(uint32_t bits);

cv::Mat matOf(const reference::Image& image);

/// Expects two images to be alike. Values may differ by `allowed` counts, and a share of
/// `mayDiffer` of them by more.
void expectAlike(const reference::Image& got, const reference::Image& want, uint32_t allowed,
                 double mayDiffer = 0);

}  // namespace glint::test
