#include "ui/draw/swapchain.h"

#include <algorithm>
#include <utility>

#include "config/error.h"

namespace glint::ui {
namespace {

constexpr uint64_t kAcquirePatience = 100'000'000;  // ns
/// The number of pictures for which the screen may still use semaphores and pictures of an earlier
/// size.
constexpr int kRetiredFor = 4;

}  // namespace

Swapchain::Swapchain(const gpu::Device& device, vk::SurfaceKHR surface, vk::RenderPass renderPass,
                     vk::Format format)
    : device_(device),
      surface_(surface),
      renderPass_(renderPass),
      format_(format),
      keeps_(device.info().type == "cpu"),
      ready_(device.handle(), vk::SemaphoreCreateInfo{}) {}

vk::Format Swapchain::chooseFormat(const gpu::Device& device, vk::SurfaceKHR surface) {
  const auto formats = device.physical().getSurfaceFormatsKHR(surface);
  for (const auto wanted : {vk::Format::eB8G8R8A8Unorm, vk::Format::eR8G8B8A8Unorm}) {
    for (const auto& offered : formats)
      if (offered.format == wanted) return wanted;
  }
  throw Error("the device '" + device.info().name + "' cannot show plain 8-bit colours here");
}

void Swapchain::resize(uint32_t width, uint32_t height) {
  if (wanted_.width != width || wanted_.height != height) stale_ = true;
  wanted_ = vk::Extent2D{width, height};
}

Swapchain::Image Swapchain::makeImage(vk::Image image, vk::Extent2D size) const {
  Image made;
  made.image = image;
  made.view = {
      device_.handle(),
      vk::ImageViewCreateInfo{.image = image,
                              .viewType = vk::ImageViewType::e2D,
                              .format = format_,
                              .subresourceRange = {vk::ImageAspectFlagBits::eColor, 0, 1, 0, 1}}};
  const vk::ImageView view = *made.view;
  made.framebuffer = {device_.handle(), vk::FramebufferCreateInfo{.renderPass = renderPass_,
                                                                  .attachmentCount = 1,
                                                                  .pAttachments = &view,
                                                                  .width = size.width,
                                                                  .height = size.height,
                                                                  .layers = 1}};
  made.drawn = {device_.handle(), vk::SemaphoreCreateInfo{}};
  return made;
}

/// Makes the pictures again. Returns false if that is not possible at present.
bool Swapchain::remake() {
  const auto capabilities = device_.physical().getSurfaceCapabilitiesKHR(surface_);
  vk::Extent2D size = capabilities.currentExtent;
  if (size.width == UINT32_MAX) {
    size.width = std::clamp(wanted_.width, capabilities.minImageExtent.width,
                            capabilities.maxImageExtent.width);
    size.height = std::clamp(wanted_.height, capabilities.minImageExtent.height,
                             capabilities.maxImageExtent.height);
  }
  if (size.width == 0 || size.height == 0) return false;
  uint32_t count = std::max(3U, capabilities.minImageCount);
  if (capabilities.maxImageCount > 0) count = std::min(count, capabilities.maxImageCount);
  using Usage = vk::ImageUsageFlagBits;
  copies_ = static_cast<bool>(capabilities.supportedUsageFlags & Usage::eTransferSrc);
  takesCopies_ =
      keeps_ && static_cast<bool>(capabilities.supportedUsageFlags & Usage::eTransferDst);
  vk::ImageUsageFlags usage = Usage::eColorAttachment;
  if (copies_) usage |= Usage::eTransferSrc;
  if (takesCopies_) usage |= Usage::eTransferDst;
  const vk::SwapchainCreateInfoKHR create{
      .surface = surface_,
      .minImageCount = count,
      .imageFormat = format_,
      .imageColorSpace = vk::ColorSpaceKHR::eSrgbNonlinear,
      .imageExtent = size,
      .imageArrayLayers = 1,
      .imageUsage = usage,
      .imageSharingMode = vk::SharingMode::eExclusive,
      .preTransform = capabilities.currentTransform,
      .compositeAlpha = vk::CompositeAlphaFlagBitsKHR::eOpaque,
      .presentMode = vk::PresentModeKHR::eFifo,
      .clipped = keeps_ ? VK_FALSE : VK_TRUE,
      .oldSwapchain = chain_ ? *chain_->swapchain : vk::SwapchainKHR{}};
  auto chain = std::make_unique<Chain>();
  chain->swapchain = {device_.handle(), create};
  for (const vk::Image image : chain->swapchain.getImages())
    chain->images.push_back(makeImage(image, size));
  if (chain_) retired_.push_back({std::move(chain_), kRetiredFor});
  chain_ = std::move(chain);
  size_ = size;
  stale_ = false;
  return true;
}

std::optional<Swapchain::Picture> Swapchain::acquire() {
  if (wanted_.width == 0 || wanted_.height == 0 || surfaceLost_) return std::nullopt;
  try {
    if (stale_ && !remake()) return std::nullopt;
    const auto [result, index] = chain_->swapchain.acquireNextImage(kAcquirePatience, *ready_);
    if (result == vk::Result::eTimeout || result == vk::Result::eNotReady) return std::nullopt;
    // The picture is drawn all the same.
    if (result == vk::Result::eSuboptimalKHR) stale_ = true;
    Image& image = chain_->images[index];
    return Picture{index,   image.image,  *image.framebuffer, size_,
                   *ready_, *image.drawn, &image.holds};
  } catch (const vk::OutOfDateKHRError&) {
    stale_ = true;
  } catch (const vk::SurfaceLostKHRError&) {
    surfaceLost_ = true;
  }
  return std::nullopt;
}

void Swapchain::present(const Picture& picture) {
  const vk::SwapchainKHR swapchain = *chain_->swapchain;
  const vk::PresentInfoKHR info{.waitSemaphoreCount = 1,
                                .pWaitSemaphores = &picture.drawn,
                                .swapchainCount = 1,
                                .pSwapchains = &swapchain,
                                .pImageIndices = &picture.index};
  try {
    const vk::Result result =
        device_.withQueue([&](const vk::raii::Queue& queue) { return queue.presentKHR(info); });
    if (result == vk::Result::eSuboptimalKHR) stale_ = true;
  } catch (const vk::OutOfDateKHRError&) {
    stale_ = true;
  } catch (const vk::SurfaceLostKHRError&) {
    surfaceLost_ = true;
  }
  for (Retired& retired : retired_) --retired.picturesLeft;
  std::erase_if(retired_, [](const Retired& retired) { return retired.picturesLeft <= 0; });
}

}  // namespace glint::ui
