// One picture of the window: images first, then what ImGui has drawn.
#pragma once

#include <array>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/device.h"
#include "ui/draw/host_drawing.h"
#include "ui/draw/picture_scene.h"
#include "ui/draw/swapchain.h"

struct GLFWwindow;

namespace glint::ui {

/// Draws on the device that measures, through the same queue. One frame in flight, one thread.
class Renderer {
 public:
  /// After ImGui's context was made and its fonts were added. Throws Error.
  Renderer(const gpu::Device& device, GLFWwindow* window);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Takes the size of the framebuffer, px.
  void resize(uint32_t width, uint32_t height) { swapchain_->resize(width, height); }
  void refresh() { swapchain_->refresh(); }

  /// Draws and shows `scene` and ImGui's draw data. False where nothing could be shown now.
  bool draw(const Scene& scene);

  /// ImGui's fonts have changed. Not between a frame of ImGui's and its drawing.
  void renewFonts();

  /// A part of the screen, as it is shown.
  struct Copy {
    uint32_t width = 0, height = 0;  ///< px
    std::vector<std::byte> pixels;   ///< rows of blue, green, red and a byte of no meaning
  };
  /// The next picture that is drawn is copied, `part` of it (px of the framebuffer).
  void copyNext(const Rect& part) { wanted_ = part; }
  /// Returns the copy; empty where there is none, or the screen does not allow it.
  std::optional<Copy> takeCopy();

  /// Share of the picture that was drawn last which differed from what it was drawn over.
  double redrawn() const { return redrawn_; }

  /// The value that the picture that was drawn last was asked for.
  const std::optional<PixelValue>& probed() const { return probed_; }

 private:
  void startImGui();
  void waitIdle() const;
  void renewSurface();
  void record(const Scene& scene, const Swapchain::Picture& picture);
  PictureChange beginPicture(const Scene& scene, const Swapchain::Picture& picture);
  void clear(const std::vector<Rect>& parts, const std::array<float, 4>& colour) const;
  void submit(const Scene& scene, const Swapchain::Picture& picture);
  void waitFor(const vk::raii::Fence& fence) const;
  void recordCopy(const Swapchain::Picture& picture);
  void recordProbe(const PixelProbe& probe);
  void readProbe(const PixelProbe& probe);

  struct Surface {
    vk::Instance instance;
    vk::SurfaceKHR handle;
    ~Surface() { instance.destroySurfaceKHR(handle); }  // null is none
  };

  const gpu::Device& device_;
  GLFWwindow* window_;
  Surface surface_;
  int surfacesLost_ = 0;  // since the last picture
  vk::Format format_ = vk::Format::eUndefined;
  vk::raii::RenderPass renderPass_ = nullptr;
  vk::raii::RenderPass again_ = nullptr;  // the same, over what a picture holds
  std::unique_ptr<Swapchain> swapchain_;
  std::unique_ptr<ImagePainter> painter_;
  vk::raii::CommandPool commandPool_;
  vk::raii::CommandBuffer commands_ = nullptr;
  vk::raii::Fence done_;
  vk::raii::DescriptorPool descriptors_;
  std::optional<Rect> wanted_;  // to be copied
  struct Copied {
    std::unique_ptr<gpu::Buffer> buffer;
    uint32_t width, height;
  };
  std::optional<Copied> copied_;
  std::unique_ptr<gpu::Buffer> probeWords_;  // made when it is first needed
  std::optional<PixelValue> probed_;
  double redrawn_ = 1;
  std::unique_ptr<HostDrawing> hostDrawing_;
};

}  // namespace glint::ui
