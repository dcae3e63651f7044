#include "ui/draw/renderer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_vulkan.h>

#include "config/error.h"

namespace glint::ui {
namespace {

constexpr std::array<float, 4> kClear{0.086F, 0.094F, 0.110F, 1};
constexpr std::array<float, 4> kBehindImages{0.035F, 0.039F, 0.047F, 1};
constexpr uint64_t kFencePatience = 10'000'000'000;  // ns, longest time that drawing may take
// Number of surfaces that may be lost one after another before drawing fails.
constexpr int kMostSurfaces = 30;

vk::SurfaceKHR makeSurface(const gpu::Device& device, GLFWwindow* window) {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  if (glfwCreateWindowSurface(device.instance(), window, nullptr, &surface) != VK_SUCCESS)
    throw Error("the device '" + device.info().name + "' cannot draw into a window here");
  return surface;
}

/// Creates the render pass. With `over`, the content of the picture stays where nothing is drawn.
vk::raii::RenderPass makeRenderPass(const gpu::Device& device, vk::Format format, bool over) {
  const vk::AttachmentDescription attachment{
      .format = format,
      .samples = vk::SampleCountFlagBits::e1,
      .loadOp = over ? vk::AttachmentLoadOp::eLoad : vk::AttachmentLoadOp::eClear,
      .storeOp = vk::AttachmentStoreOp::eStore,
      .stencilLoadOp = vk::AttachmentLoadOp::eDontCare,
      .stencilStoreOp = vk::AttachmentStoreOp::eDontCare,
      .initialLayout = over ? vk::ImageLayout::ePresentSrcKHR : vk::ImageLayout::eUndefined,
      .finalLayout = vk::ImageLayout::ePresentSrcKHR};
  const vk::AttachmentReference reference{0, vk::ImageLayout::eColorAttachmentOptimal};
  vk::SubpassDescription subpass{.pipelineBindPoint = vk::PipelineBindPoint::eGraphics};
  subpass.setColorAttachments(reference);
  using Stage = vk::PipelineStageFlagBits;
  const vk::SubpassDependency before{.srcSubpass = VK_SUBPASS_EXTERNAL,
                                     .dstSubpass = 0,
                                     .srcStageMask = Stage::eColorAttachmentOutput,
                                     .dstStageMask = Stage::eColorAttachmentOutput,
                                     .srcAccessMask = {},
                                     .dstAccessMask = vk::AccessFlagBits::eColorAttachmentRead |
                                                      vk::AccessFlagBits::eColorAttachmentWrite};
  vk::RenderPassCreateInfo create{};
  create.setAttachments(attachment);
  create.setSubpasses(subpass);
  create.setDependencies(before);
  return {device.handle(), create};
}

vk::raii::DescriptorPool makeDescriptors(const gpu::Device& device) {
  const vk::DescriptorPoolSize size{vk::DescriptorType::eCombinedImageSampler, 4};
  vk::DescriptorPoolCreateInfo create{.flags = vk::DescriptorPoolCreateFlagBits::eFreeDescriptorSet,
                                      .maxSets = 4};
  create.setPoolSizes(size);
  return {device.handle(), create};
}

/// Ignores results. ImGui calls it, and no exception may cross ImGui.
void noteResult(VkResult) {}

/// Returns the areas of `part`, px, that no image covers.
std::vector<Rect> bareOf(const Scene& scene, const Rect& part) {
  std::vector<Rect> bare{part};
  for (const PaintedImage& image : scene.images) {
    if (!image.covers()) continue;
    std::vector<Rect> left;
    for (const Rect& rect : bare) {
      const auto beyond = without(rect, scissorOf(image.visible));
      left.insert(left.end(), beyond.begin(), beyond.end());
    }
    bare = std::move(left);
  }
  std::erase_if(bare, std::mem_fn(&Rect::empty));
  return bare;
}

/// The objects for drawing insets while a picture is recorded, because ImGui calls back without
/// them.
struct Recording {
  ImagePainter* painter = nullptr;
  const vk::raii::CommandBuffer* commands = nullptr;
  vk::Extent2D size;
} recording;

}  // namespace

void addInset(ImDrawList& list, Scene& scene, const PaintedImage& image) {
  scene.insets.push_back(image);
  list.AddCallback(
      [](const ImDrawList*, const ImDrawCmd* command) {
        recording.painter->paint(*recording.commands,
                                 *static_cast<const PaintedImage*>(command->UserCallbackData),
                                 recording.size);
      },
      &scene.insets.back());
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

Renderer::Renderer(const gpu::Device& device, GLFWwindow* window)
    : device_(device),
      window_(window),
      surface_{device.instance(), makeSurface(device, window)},
      commandPool_(
          device.handle(),
          vk::CommandPoolCreateInfo{.flags = vk::CommandPoolCreateFlagBits::eResetCommandBuffer,
                                    .queueFamilyIndex = device.queueFamily()}),
      done_(device.handle(), vk::FenceCreateInfo{}),
      descriptors_(makeDescriptors(device)) {
  if (!device.physical().getSurfaceSupportKHR(device.queueFamily(), surface_.handle))
    throw Error("the device '" + device.info().name + "' cannot show pictures in this window");
  format_ = Swapchain::chooseFormat(device, surface_.handle);
  renderPass_ = makeRenderPass(device, format_, false);
  again_ = makeRenderPass(device, format_, true);
  swapchain_ = std::make_unique<Swapchain>(device, surface_.handle, *renderPass_, format_);
  painter_ = std::make_unique<ImagePainter>(device, *renderPass_);
  hostDrawing_ = std::make_unique<HostDrawing>(device, format_);
  commands_ = std::move(
      vk::raii::CommandBuffers(device.handle(), {.commandPool = *commandPool_,
                                                 .level = vk::CommandBufferLevel::ePrimary,
                                                 .commandBufferCount = 1})
          .front());
  startImGui();
}

void Renderer::startImGui() {
  ImGui_ImplVulkan_InitInfo info{};
  info.Instance = device_.instance();
  info.PhysicalDevice = device_.physical();
  info.Device = *device_.handle();
  info.QueueFamily = device_.queueFamily();
  info.Queue = device_.withQueue([](const vk::raii::Queue& queue) { return *queue; });
  info.DescriptorPool = *descriptors_;
  // ImGui's least number of frames in flight; there is only one.
  info.MinImageCount = info.ImageCount = 2;
  info.MSAASamples = VK_SAMPLE_COUNT_1_BIT;
  info.CheckVkResultFn = noteResult;
  ImGui_ImplVulkan_Init(&info, *renderPass_);
  commands_.begin({.flags = vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
  ImGui_ImplVulkan_CreateFontsTexture(*commands_);
  commands_.end();
  vk::SubmitInfo submit{};
  submit.setCommandBuffers(*commands_);
  device_.withQueue([&](const vk::raii::Queue& queue) { queue.submit(submit, *done_); });
  waitFor(done_);
  ImGui_ImplVulkan_DestroyFontUploadObjects();
}

void Renderer::waitIdle() const {
  device_.withQueue([](const vk::raii::Queue& queue) { queue.waitIdle(); });
}

void Renderer::renewFonts() {
  waitIdle();
  refresh();
  ImGui_ImplVulkan_Shutdown();
  descriptors_.reset();  // ImGui forgets to free its own descriptors
  startImGui();
}

Renderer::~Renderer() {
  try {
    waitIdle();
    // A lost device has nothing to wait for.
  } catch (const std::exception&) {
  }
  ImGui_ImplVulkan_Shutdown();
}

/// Creates another surface of the same window after the screen has taken the previous one away.
/// Throws Error after too many in a row.
void Renderer::renewSurface() {
  if (++surfacesLost_ > kMostSurfaces)
    throw Error("the screen no longer accepts pictures (the surface of the window is lost)");
  waitIdle();
  const vk::Extent2D size = swapchain_->wanted();
  swapchain_.reset();
  surface_.instance.destroySurfaceKHR(std::exchange(surface_.handle, nullptr));
  surface_.handle = makeSurface(device_, window_);
  swapchain_ = std::make_unique<Swapchain>(device_, surface_.handle, *renderPass_, format_);
  swapchain_->resize(size.width, size.height);
}

void Renderer::waitFor(const vk::raii::Fence& fence) const {
  device_.noticeLoss([&] {
    const vk::raii::Device& device = device_.handle();
    while (device.waitForFences(*fence, VK_TRUE, kFencePatience) == vk::Result::eTimeout) {
    }
    device.resetFences(*fence);
  });
}

bool Renderer::draw(const Scene& scene) {
  const auto picture = device_.noticeLoss([&] { return swapchain_->acquire(); });
  if (!picture) {
    if (swapchain_->surfaceLost()) renewSurface();
    return false;
  }
  record(scene, *picture);
  submit(scene, *picture);
  // Waits for the drawing first, because on some devices presenting waits for it while the queue is
  // locked.
  waitFor(done_);
  probed_.reset();
  if (scene.probe) readProbe(*scene.probe);
  swapchain_->present(*picture);
  surfacesLost_ = 0;
  return true;
}

/// Begins the render pass. Returns the work that is left in it.
PictureChange Renderer::beginPicture(const Scene& scene, const Swapchain::Picture& picture) {
  PictureChange change =
      hostDrawing_->begin(commands_, scene, *painter_, *ImGui::GetDrawData(), *swapchain_, picture);
  const vk::ClearValue clearing(vk::ClearColorValue{kClear});
  commands_.beginRenderPass({.renderPass = change.over ? *again_ : *renderPass_,
                             .framebuffer = picture.framebuffer,
                             .renderArea = {{0, 0}, picture.size},
                             .clearValueCount = 1,
                             .pClearValues = &clearing},
                            vk::SubpassContents::eInline);
  redrawn_ = 0;
  const double pixels = double{1} * picture.size.width * picture.size.height;
  for (const Rect& part : change.parts) {
    const Rect behind = scissorOf(scene.background);
    if (change.over) clear(without(part, behind), kClear);
    clear(bareOf(scene, meet(part, behind)), kBehindImages);
    redrawn_ += double{part.width} * double{part.height} / pixels;
  }
  return change;
}

/// Clears areas of whole px.
void Renderer::clear(const std::vector<Rect>& parts, const std::array<float, 4>& colour) const {
  if (parts.empty()) return;
  const vk::ClearAttachment value{.aspectMask = vk::ImageAspectFlagBits::eColor,
                                  .colorAttachment = 0,
                                  .clearValue = vk::ClearValue(vk::ClearColorValue{colour})};
  std::vector<vk::ClearRect> rects;
  for (const Rect& part : parts)
    rects.push_back({{{static_cast<int32_t>(part.x), static_cast<int32_t>(part.y)},
                      {static_cast<uint32_t>(part.width), static_cast<uint32_t>(part.height)}},
                     0,
                     1});
  commands_.clearAttachments(value, rects);
}

void Renderer::record(const Scene& scene, const Swapchain::Picture& picture) {
  commands_.begin({.flags = vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
  const PictureChange change = beginPicture(scene, picture);
  painter_->begin();
  for (PaintedImage image : std::span(scene.images).subspan(change.painted)) {
    const Rect visible = scissorOf(image.visible);
    for (const Rect& part : change.parts) {
      image.visible = meet(part, visible);
      painter_->paint(commands_, image, picture.size);
    }
  }
  recording = {painter_.get(), &commands_, picture.size};
  ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), *commands_);
  commands_.endRenderPass();
  if (wanted_ && swapchain_->copies()) recordCopy(picture);
  if (scene.probe) recordProbe(*scene.probe);
  wanted_.reset();
  device_.holdFence(commands_);
  commands_.end();
}

/// Records a copy of the wanted area into a buffer of the host, after everything has been drawn.
void Renderer::recordCopy(const Swapchain::Picture& picture) {
  const auto x = static_cast<uint32_t>(std::max(0.0F, wanted_->x));
  const auto y = static_cast<uint32_t>(std::max(0.0F, wanted_->y));
  const auto right = static_cast<uint32_t>(std::max(0.0F, wanted_->x + wanted_->width));
  const auto bottom = static_cast<uint32_t>(std::max(0.0F, wanted_->y + wanted_->height));
  if (std::min(right, picture.size.width) <= x || std::min(bottom, picture.size.height) <= y)
    return;
  const uint32_t width = std::min(right, picture.size.width) - x;
  const uint32_t height = std::min(bottom, picture.size.height) - y;
  copied_ = Copied{std::make_unique<gpu::Buffer>(device_, size_t{4} * width * height,
                                                 gpu::MemoryUse::readback, "copy"),
                   width, height};
  using ImageLayout = vk::ImageLayout;
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  vk::ImageMemoryBarrier change =
      layoutChange(picture.image, ImageLayout::ePresentSrcKHR, ImageLayout::eTransferSrcOptimal);
  change.srcAccessMask = Access::eMemoryWrite;
  change.dstAccessMask = Access::eTransferRead;
  commands_.pipelineBarrier(Stage::eAllCommands, Stage::eTransfer, {}, {}, {}, change);
  const vk::BufferImageCopy part{
      .imageSubresource = {vk::ImageAspectFlagBits::eColor, 0, 0, 1},
      .imageOffset = {static_cast<int32_t>(x), static_cast<int32_t>(y), 0},
      .imageExtent = {width, height, 1}};
  commands_.copyImageToBuffer(picture.image, ImageLayout::eTransferSrcOptimal,
                              copied_->buffer->handle(), part);
  std::swap(change.oldLayout, change.newLayout);
  change.srcAccessMask = Access::eTransferRead;
  change.dstAccessMask = {};
  const vk::MemoryBarrier host{.srcAccessMask = Access::eTransferWrite,
                               .dstAccessMask = Access::eHostRead};
  commands_.pipelineBarrier(Stage::eTransfer, Stage::eHost | Stage::eBottomOfPipe, {}, host, {},
                            change);
}

std::optional<Renderer::Copy> Renderer::takeCopy() {
  if (!copied_) return std::nullopt;
  const std::span<const std::byte> from = copied_->buffer->mapped();
  Copy copy{copied_->width, copied_->height, {from.begin(), from.end()}};
  copy.pixels.resize(size_t{4} * copy.width * copy.height);
  copied_.reset();
  if (format_ == vk::Format::eR8G8B8A8Unorm) {
    for (size_t i = 0; i < copy.pixels.size(); i += 4)
      std::swap(copy.pixels[i], copy.pixels[i + 2]);
  }
  return copy;
}

/// Records a copy of a pixel's words into a buffer of the host.
void Renderer::recordProbe(const PixelProbe& probe) {
  const ProbeRange range = rangeOf(probe);
  if (range.size == 0) return;
  if (!probeWords_)
    probeWords_ = std::make_unique<gpu::Buffer>(device_, 12, gpu::MemoryUse::readback, "probe");
  using Stage = vk::PipelineStageFlagBits;
  commands_.copyBuffer(probe.plane->buffer->handle(), probeWords_->handle(),
                       vk::BufferCopy{range.offset, 0, range.size});
  const vk::MemoryBarrier host{.srcAccessMask = vk::AccessFlagBits::eTransferWrite,
                               .dstAccessMask = vk::AccessFlagBits::eHostRead};
  commands_.pipelineBarrier(Stage::eTransfer, Stage::eHost, {}, host, {}, {});
}

void Renderer::readProbe(const PixelProbe& probe) {
  const ProbeRange range = rangeOf(probe);
  if (range.size == 0) return;
  std::array<uint32_t, 3> words{};
  std::memcpy(words.data(), probeWords_->mapped().data(), range.size);
  probed_ = valueOf(probe, words);
}

void Renderer::submit(const Scene& scene, const Swapchain::Picture& picture) {
  std::vector<vk::Semaphore> waited{picture.ready};
  std::vector<uint64_t> values{0};  // ignored: `picture.ready` is a binary semaphore
  std::vector<vk::PipelineStageFlags> stages{vk::PipelineStageFlagBits::eColorAttachmentOutput |
                                             vk::PipelineStageFlagBits::eTransfer};
  for (const auto& planes : scene.planes) {
    if (!planes) continue;
    waited.push_back(*planes->timeline->semaphore);
    values.push_back(planes->value);
    stages.emplace_back(vk::PipelineStageFlagBits::eFragmentShader |
                        vk::PipelineStageFlagBits::eTransfer);
  }
  const uint64_t none = 0;
  vk::TimelineSemaphoreSubmitInfo timeline{.signalSemaphoreValueCount = 1,
                                           .pSignalSemaphoreValues = &none};
  timeline.setWaitSemaphoreValues(values);
  vk::SubmitInfo info{.pNext = &timeline};
  info.setWaitSemaphores(waited);
  info.setWaitDstStageMask(stages);
  info.setCommandBuffers(*commands_);
  info.setSignalSemaphores(picture.drawn);
  device_.withQueue([&](const vk::raii::Queue& queue) { queue.submit(info, *done_); });
}

}  // namespace glint::ui
