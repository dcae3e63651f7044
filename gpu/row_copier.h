// Copies images to staging memory with several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "gpu/device.h"
#include "gpu/frame.h"

namespace glint::gpu {

/// Copies images with helper threads, because one thread only uses a sixth of the memory bandwidth
/// of a typical host with a GPU. The helpers sleep between images. The caller copies, too, and
/// shares large images with those helpers that wake up in time. Only one thread at a time may call
/// it.
class RowCopier {
 public:
  /// Uses as many helpers as are useful. If the device is a CPU, there are none, because it needs
  /// all processors for detection.
  explicit RowCopier(const Device& device);
  explicit RowCopier(uint32_t helpers);
  ~RowCopier();
  RowCopier(RowCopier&&) noexcept;
  RowCopier& operator=(RowCopier&&) = delete;

  /// Copies the rows of an image, which are `pitch` bytes apart and have the format of `to`.
  /// Returns when all rows are copied. The padding of rows is not changed. During the copy and at
  /// its end, this calls written(rows) on the calling thread whenever more of the first rows are
  /// complete. `written` must not throw.
  void copy(const std::byte* from, size_t pitch, const ImageView& to,
            const std::function<void(uint32_t rows)>& written = {});

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace glint::gpu
