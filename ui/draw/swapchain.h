// The pictures that are handed to the screen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/device.h"
#include "ui/draw/redraw.h"

namespace glint::ui {

/// A change of a picture's layout. Who records it adds what must be done before, and what waits.
inline vk::ImageMemoryBarrier layoutChange(vk::Image image, vk::ImageLayout from,
                                           vk::ImageLayout to) {
  return {.oldLayout = from,
          .newLayout = to,
          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
          .image = image,
          .subresourceRange = {vk::ImageAspectFlagBits::eColor, 0, 1, 0, 1}};
}

/// Made for one size of the window; made again when that changes or the screen says so. One thread.
class Swapchain {
 public:
  /// `surface` must outlive it. Throws Error where the device cannot show pictures there.
  Swapchain(const gpu::Device& device, vk::SurfaceKHR surface, vk::RenderPass renderPass,
            vk::Format format);

  /// Whether its pictures still hold what was drawn into them before: on CPUs, where drawing is
  /// dear.
  bool keeps() const { return keeps_; }

  /// A format that shows colours as they are given: no sRGB.
  static vk::Format chooseFormat(const gpu::Device& device, vk::SurfaceKHR surface);

  /// From the next picture on; 0 x 0 (minimised) shows nothing.
  void resize(uint32_t width, uint32_t height);
  vk::Extent2D wanted() const { return wanted_; }
  /// Makes it again before the next picture.
  void refresh() { stale_ = true; }

  struct Picture {
    uint32_t index = 0;
    vk::Image image;  ///< once it is drawn in layout present source
    vk::Framebuffer framebuffer;
    vk::Extent2D size;
    vk::Semaphore ready;  ///< signalled when the picture can be drawn into
    vk::Semaphore drawn;  ///< to be signalled when it has been
    Drawn* holds;         ///< what was drawn into it before; empty: nothing was
  };
  /// Empty where there is none now: minimised, or being resized; ask again. Whoever gets one must
  /// draw and present it.
  std::optional<Picture> acquire();
  void present(const Picture& picture);
  /// Whether the surface is lost, and with it this: another one of the same window may do.
  bool surfaceLost() const { return surfaceLost_; }

  /// Whether pictures can be copied from, and to: the latter only where they keep what they hold.
  bool copies() const { return copies_; }
  bool takesCopies() const { return takesCopies_; }

 private:
  struct Image {
    vk::Image image;
    vk::raii::ImageView view = nullptr;
    vk::raii::Framebuffer framebuffer = nullptr;
    vk::raii::Semaphore drawn = nullptr;
    Drawn holds;
  };
  /// What hangs on one size of the window.
  struct Chain {
    vk::raii::SwapchainKHR swapchain = nullptr;
    std::vector<Image> images;
  };
  struct Retired {
    std::unique_ptr<Chain> chain;
    int picturesLeft;
  };

  bool remake();
  Image makeImage(vk::Image image, vk::Extent2D size) const;

  const gpu::Device& device_;
  vk::SurfaceKHR surface_;
  vk::RenderPass renderPass_;
  vk::Format format_;
  bool keeps_;
  vk::Extent2D wanted_{}, size_{};
  bool stale_ = true, copies_ = false, takesCopies_ = false, surfaceLost_ = false;
  vk::raii::Semaphore ready_;
  std::unique_ptr<Chain> chain_;
  std::vector<Retired> retired_;
};

}  // namespace glint::ui
