// The pictures that are handed to the screen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/device.h"
#include "ui/draw/redraw.h"

namespace glint::ui {

/// Returns a barrier that changes the layout of a picture. The caller adds the accesses before and
/// after it.
inline vk::ImageMemoryBarrier layoutChange(vk::Image image, vk::ImageLayout from,
                                           vk::ImageLayout to) {
  return {.oldLayout = from,
          .newLayout = to,
          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
          .image = image,
          .subresourceRange = {vk::ImageAspectFlagBits::eColor, 0, 1, 0, 1}};
}

/// The pictures for one size of the window. They are made again when the size changes or the screen
/// demands it. One thread.
class Swapchain {
 public:
  /// `surface` must outlive the swapchain. Throws Error if the device cannot show pictures there.
  Swapchain(const gpu::Device& device, vk::SurfaceKHR surface, vk::RenderPass renderPass,
            vk::Format format);

  /// Returns true if the pictures keep what was drawn into them before. They do so on CPUs, where
  /// drawing is expensive.
  bool keeps() const { return keeps_; }

  /// Returns a format that shows colours as they are given, without sRGB conversion.
  static vk::Format chooseFormat(const gpu::Device& device, vk::SurfaceKHR surface);

  /// Sets the size, px, from the next picture on. Nothing is shown at 0 x 0, which means minimised.
  void resize(uint32_t width, uint32_t height);
  vk::Extent2D wanted() const { return wanted_; }
  /// Makes the pictures again before the next one is acquired.
  void refresh() { stale_ = true; }

  /// A picture that acquire() has returned and that is to be drawn.
  struct Picture {
    uint32_t index = 0;
    /// The image; after drawing it has the layout "present source".
    vk::Image image;
    vk::Framebuffer framebuffer;
    vk::Extent2D size;
    vk::Semaphore ready;  ///< signalled when the picture can be drawn into
    vk::Semaphore drawn;  ///< signalled by the caller when the picture has been drawn
    /// The content that was drawn into this image before; empty if there is none.
    Drawn* holds;
  };
  /// Returns the next picture to draw. The caller must draw and present it. Empty if there is none
  /// at present, because the window is minimised or being resized; the caller asks again later.
  std::optional<Picture> acquire();
  /// Shows a picture that was drawn.
  void present(const Picture& picture);
  /// Returns true if the surface is lost. The swapchain is useless then, but another surface of the
  /// same window may work.
  bool surfaceLost() const { return surfaceLost_; }

  /// Return true if pictures can be copied from, and copied into. The latter is possible only if
  /// they keep their content.
  bool copies() const { return copies_; }
  bool takesCopies() const { return takesCopies_; }

 private:
  /// An image of the swapchain, and what belongs to it.
  struct Image {
    vk::Image image;
    vk::raii::ImageView view = nullptr;
    vk::raii::Framebuffer framebuffer = nullptr;
    vk::raii::Semaphore drawn = nullptr;
    Drawn holds;
  };
  /// Resources that are recreated when the window is resized.
  struct Chain {
    vk::raii::SwapchainKHR swapchain = nullptr;
    std::vector<Image> images;
  };
  /// Resources of an earlier size, which the screen may still use.
  struct Retired {
    std::unique_ptr<Chain> chain;
    int picturesLeft;  // pictures to draw before the resources are freed
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
