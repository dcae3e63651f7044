#include "ui/draw/host_drawing.h"

#include <span>
#include <utility>

#include <imgui.h>

#include "gpu/timeline.h"
#include "ui/draw/redraw.h"

namespace glint::ui {

HostDrawing::HostDrawing(const gpu::Device& device, vk::Format format)
    : device_(device), painter_(format == vk::Format::eR8G8B8A8Unorm) {}

/// Paints images into pixels_, and notes their places. Returns the number of images that were
/// painted.
size_t HostDrawing::paint(const Scene& scene, const ImagePainter& painter,
                          const std::vector<Rect>& parts, std::vector<Place>& places) {
  const std::span<uint32_t> all = pixels_->as<uint32_t>();
  size_t used = 0, painted = 0;
  for (const PaintedImage& image : scene.images) {
    if (!HostPainter::paints(image)) break;
    const size_t before = places.size();
    size_t end = used;
    for (const Rect& part : parts) {
      const Rect rect = meet(part, scissorOf(image.visible));
      if (rect.empty()) continue;
      places.push_back({rect, end});
      end += static_cast<size_t>(rect.width) * static_cast<size_t>(rect.height);
    }
    // The images overlap, so that they need more pixels than a picture has.
    if (end > all.size()) {
      places.resize(before);
      break;
    }
    for (const Place& place : std::span(places).subspan(before))
      painter_.paint(image, painter.samples(image.zoom), place.rect, all.subspan(place.first));
    used = end;
    ++painted;
  }
  return painted;
}

/// Paints the first images within `parts`, and records copies of them into the picture, whose
/// layout is "present source" before and after. Returns their number. The images that follow must
/// be drawn by the device.
size_t HostDrawing::paintInto(const Swapchain::Picture& picture,
                              const vk::raii::CommandBuffer& commands, const Scene& scene,
                              const ImagePainter& painter, const std::vector<Rect>& parts) {
  const size_t bytes = size_t{4} * picture.size.width * picture.size.height;
  if (bytes > device_.limits().maxStorageBufferRange) return 0;
  if (!pixels_ || pixels_->size() < bytes)
    pixels_ =
        std::make_unique<gpu::Buffer>(device_, bytes, gpu::MemoryUse::upload, "painted images");
  for (const auto& planes : scene.planes)
    if (planes) planes->timeline->wait(device_, planes->value);
  std::vector<Place> places;
  const size_t painted = paint(scene, painter, parts, places);
  if (places.empty()) return painted;
  std::vector<vk::BufferImageCopy> copies;
  for (const Place& place : places)
    copies.push_back(
        {.bufferOffset = place.first * 4,
         .imageSubresource = {vk::ImageAspectFlagBits::eColor, 0, 0, 1},
         .imageOffset = {static_cast<int32_t>(place.rect.x), static_cast<int32_t>(place.rect.y), 0},
         .imageExtent = {static_cast<uint32_t>(place.rect.width),
                         static_cast<uint32_t>(place.rect.height), 1}});
  using ImageLayout = vk::ImageLayout;
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  vk::ImageMemoryBarrier change =
      layoutChange(picture.image, ImageLayout::ePresentSrcKHR, ImageLayout::eTransferDstOptimal);
  change.dstAccessMask = Access::eTransferWrite;
  commands.pipelineBarrier(Stage::eTransfer, Stage::eTransfer, {}, {}, {}, change);
  commands.copyBufferToImage(pixels_->handle(), picture.image, ImageLayout::eTransferDstOptimal,
                             copies);
  std::swap(change.oldLayout, change.newLayout);
  change.srcAccessMask = Access::eTransferWrite;
  change.dstAccessMask = Access::eColorAttachmentRead | Access::eColorAttachmentWrite;
  commands.pipelineBarrier(Stage::eTransfer, Stage::eColorAttachmentOutput, {}, {}, {}, change);
  return painted;
}

PictureChange HostDrawing::begin(const vk::raii::CommandBuffer& commands, const Scene& scene,
                                 const ImagePainter& painter, ImDrawData& data,
                                 const Swapchain& swapchain, const Swapchain::Picture& picture) {
  const Rect whole{0, 0, static_cast<float>(picture.size.width),
                   static_cast<float>(picture.size.height)};
  PictureChange change{.parts = {whole}};
  const bool keeps = swapchain.keeps() && data.FramebufferScale.x == 1;
  Drawn now = keeps ? drawnOf(scene, data) : Drawn();
  change.over = keeps && !picture.holds->empty();
  if (change.over) {
    change.parts = changedParts(*picture.holds, now, whole);
    clipTo(data, change.parts);
  }
  *picture.holds = std::move(now);
  if (change.over && swapchain.takesCopies())
    change.painted = paintInto(picture, commands, scene, painter, change.parts);
  return change;
}

}  // namespace glint::ui
