// Gives the images of a program as the frames of one camera.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "app/capture/source/source.h"

namespace glint::python {

/// Images that a program hands over one by one, in NumPy's order. The session waits for each.
class ArraySource final : public capture::Source {
 public:
  /// Copies the next image into `image` and returns its time, s; empty after the last one. Called
  /// on the session's thread of this camera. Throws Error if the program failed.
  using Next = std::function<std::optional<double>(const gpu::ImageView& image)>;

  /// `count`: images in all, if it is known. `rate`: Hz, 0: each image has a time of its own.
  ArraySource(const gpu::ImageFormat& format, std::string name, std::optional<uint64_t> count,
              double rate, Next next);

  const gpu::ImageFormat& format() const override { return format_; }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return count_; }
  std::optional<double> statedRate() override {
    return rate_ > 0 ? std::optional(rate_) : std::nullopt;
  }
  capture::Reading read(const gpu::ImageView& image) override;

 private:
  gpu::ImageFormat format_;
  std::string name_;
  std::optional<uint64_t> count_;
  double rate_;
  Next next_;
  uint64_t read_ = 0;  ///< images
};

}  // namespace glint::python
