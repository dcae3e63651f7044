// Draws one picture of the window: images first, then the content of ImGui.
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

/// The drawing of pictures, on the same device and through the same queue as the measurements. One
/// frame in flight. One thread.
class Renderer {
 public:
  /// Call it after ImGui's context was created and its fonts were added. Throws Error.
  Renderer(const gpu::Device& device, GLFWwindow* window);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Takes the size of the framebuffer, px.
  void resize(uint32_t width, uint32_t height) { swapchain_->resize(width, height); }
  void refresh() { swapchain_->refresh(); }

  /// Draws and shows `scene` and ImGui's draw data. Returns false if nothing can be shown at
  /// present. Throws Error if the screen keeps refusing pictures.
  bool draw(const Scene& scene);

  /// Takes over ImGui's changed fonts. Not to be called between a frame of ImGui's and its drawing.
  void renewFonts();

  /// A part of the screen as it is shown.
  struct Copy {
    uint32_t width = 0, height = 0;  ///< px
    /// Rows of pixels; each has blue, green, red and an unused byte.
    std::vector<std::byte> pixels;
  };
  /// Requests a copy of `part` (px of the framebuffer) of the next picture that is drawn.
  void copyNext(const Rect& part) { wanted_ = part; }
  /// Returns the requested copy; empty if there is none, or the screen does not allow it.
  std::optional<Copy> takeCopy();

  /// Returns the share of the last picture that differed from the content it was drawn over, 0 to
  /// 1.
  double redrawn() const { return redrawn_; }

  /// Returns the value of the pixel for which the last picture was asked; empty if there was none.
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
    ~Surface() { instance.destroySurfaceKHR(handle); }  // null: there is no surface
  };

  const gpu::Device& device_;
  GLFWwindow* window_;
  Surface surface_;
  int surfacesLost_ = 0;  // number of surfaces that were lost since the last picture
  vk::Format format_ = vk::Format::eUndefined;
  vk::raii::RenderPass renderPass_ = nullptr;
  // The render pass that draws over the content of the picture instead of clearing it.
  vk::raii::RenderPass again_ = nullptr;
  std::unique_ptr<Swapchain> swapchain_;
  std::unique_ptr<ImagePainter> painter_;
  vk::raii::CommandPool commandPool_;
  vk::raii::CommandBuffer commands_ = nullptr;
  vk::raii::Fence done_;
  vk::raii::DescriptorPool descriptors_;
  std::optional<Rect> wanted_;  // the area to be copied
  /// The copy of an area in memory of the host.
  struct Copied {
    std::unique_ptr<gpu::Buffer> buffer;
    uint32_t width, height;
  };
  std::optional<Copied> copied_;             // copy of the last picture; empty: none was made
  std::unique_ptr<gpu::Buffer> probeWords_;  // created when it is first needed
  std::optional<PixelValue> probed_;
  double redrawn_ = 1;  // see redrawn()
  std::unique_ptr<HostDrawing> hostDrawing_;
};

}  // namespace glint::ui
