// Writes images into staging memory with several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "gpu/device.h"
#include "gpu/frame.h"

namespace glint::gpu {

/// One thread alone writes a sixth of what the memory of a GPU's host takes. With helpers, which
/// sleep between images, the caller shares large images with those that wake while it copies. One
/// thread at a time calls it.
class RowCopier {
 public:
  /// As many helpers as pay: none beside a CPU, which needs its processors for detection.
  explicit RowCopier(const Device& device);
  explicit RowCopier(uint32_t helpers);
  ~RowCopier();
  RowCopier(RowCopier&&) noexcept;
  RowCopier& operator=(RowCopier&&) = delete;

  /// Copies the rows of an image of `to`'s format, `pitch` bytes apart, and returns when all are
  /// there. Padding at their ends stays as it is. Meanwhile and at the end `written`, which throws
  /// nothing, is told on this thread how many of the first rows are there.
  void copy(const std::byte* from, size_t pitch, const ImageView& to,
            const std::function<void(uint32_t rows)>& written = {});

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace glint::gpu
