#include "ui/draw/image_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "config/error.h"
#include "ui_spirv/image_frag.h"
#include "ui_spirv/image_vert.h"

namespace glint::ui {
namespace {

/// The push constants of image.frag.
struct Params {
  float originX, originY;
  uint32_t width, height;
  uint32_t pitch;
  uint32_t first;
  float step;
  float black, gain, white, threshold;
  float unused = 0;
  std::array<float, 12> warp = {};  // rows of four numbers; the last one of each row is unused
};

/// The most samples along each axis. More would cost too much on a CPU, fewer would lose small
/// markers.
constexpr double kMostSamples = 3;
constexpr uint32_t kMostBuffers = 256;  // the most buffers of the images of one picture

vk::raii::ShaderModule makeModule(const gpu::Device& device, std::span<const uint32_t> spirv) {
  return {device.handle(),
          vk::ShaderModuleCreateInfo{.codeSize = spirv.size_bytes(), .pCode = spirv.data()}};
}

vk::raii::DescriptorSetLayout makeSetLayout(const gpu::Device& device) {
  const vk::DescriptorSetLayoutBinding binding{.binding = 0,
                                               .descriptorType = vk::DescriptorType::eStorageBuffer,
                                               .descriptorCount = 1,
                                               .stageFlags = vk::ShaderStageFlagBits::eFragment};
  vk::DescriptorSetLayoutCreateInfo create{};
  create.setBindings(binding);
  return {device.handle(), create};
}

vk::raii::PipelineLayout makeLayout(const gpu::Device& device, vk::DescriptorSetLayout setLayout) {
  const vk::PushConstantRange range{vk::ShaderStageFlagBits::eFragment, 0, sizeof(Params)};
  vk::PipelineLayoutCreateInfo create{};
  create.setSetLayouts(setLayout);
  create.setPushConstantRanges(range);
  return {device.handle(), create};
}

vk::raii::DescriptorPool makePool(const gpu::Device& device) {
  const vk::DescriptorPoolSize size{vk::DescriptorType::eStorageBuffer, kMostBuffers};
  vk::DescriptorPoolCreateInfo create{.maxSets = kMostBuffers};
  create.setPoolSizes(size);
  return {device.handle(), create};
}

}  // namespace

ImagePainter::ImagePainter(const gpu::Device& device, vk::RenderPass renderPass)
    : device_(device),
      renderPass_(renderPass),
      slow_(device.info().type == "cpu"),
      vertex_(makeModule(device, image_vert_spirv)),
      fragment_(makeModule(device, image_frag_spirv)),
      setLayout_(makeSetLayout(device)),
      layout_(makeLayout(device, *setLayout_)),
      pool_(makePool(device)) {}

uint32_t ImagePainter::samples(double zoom) const {
  const double sharing = slow_ ? 0.5 : 0.99;
  return static_cast<uint32_t>(std::clamp(std::ceil(sharing / zoom), 1.0, kMostSamples));
}

vk::Pipeline ImagePainter::pipeline(const Key& key) {
  if (const auto known = pipelines_.find(key); known != pipelines_.end()) return *known->second;
  const std::array<uint32_t, 5> constants{key.bits, key.channels, key.intensity ? 1U : 0U,
                                          key.samples, key.warped ? 1U : 0U};
  std::array<vk::SpecializationMapEntry, 5> entries;
  for (uint32_t i = 0; i < entries.size(); ++i)
    entries[i] = vk::SpecializationMapEntry{i, i * 4, 4};
  const vk::SpecializationInfo specialization{.mapEntryCount = entries.size(),
                                              .pMapEntries = entries.data(),
                                              .dataSize = sizeof constants,
                                              .pData = constants.data()};
  const std::array stages{
      vk::PipelineShaderStageCreateInfo{
          .stage = vk::ShaderStageFlagBits::eVertex, .module = *vertex_, .pName = "main"},
      vk::PipelineShaderStageCreateInfo{.stage = vk::ShaderStageFlagBits::eFragment,
                                        .module = *fragment_,
                                        .pName = "main",
                                        .pSpecializationInfo = &specialization}};
  const vk::PipelineVertexInputStateCreateInfo vertices{};
  const vk::PipelineInputAssemblyStateCreateInfo assembly{
      .topology = vk::PrimitiveTopology::eTriangleStrip};
  const vk::PipelineViewportStateCreateInfo viewport{.viewportCount = 1, .scissorCount = 1};
  const vk::PipelineRasterizationStateCreateInfo raster{.lineWidth = 1};
  const vk::PipelineMultisampleStateCreateInfo multisample{};
  using Mask = vk::ColorComponentFlagBits;
  const vk::PipelineColorBlendAttachmentState attachment{.colorWriteMask = Mask::eR | Mask::eG |
                                                                           Mask::eB | Mask::eA};
  vk::PipelineColorBlendStateCreateInfo blend{};
  blend.setAttachments(attachment);
  const std::array dynamic{vk::DynamicState::eViewport, vk::DynamicState::eScissor};
  vk::PipelineDynamicStateCreateInfo dynamics{};
  dynamics.setDynamicStates(dynamic);
  vk::GraphicsPipelineCreateInfo create{.pVertexInputState = &vertices,
                                        .pInputAssemblyState = &assembly,
                                        .pViewportState = &viewport,
                                        .pRasterizationState = &raster,
                                        .pMultisampleState = &multisample,
                                        .pColorBlendState = &blend,
                                        .pDynamicState = &dynamics,
                                        .layout = *layout_,
                                        .renderPass = renderPass_};
  create.setStages(stages);
  vk::raii::Pipeline made{device_.handle(), nullptr, create};
  return *pipelines_.emplace(key, std::move(made)).first->second;
}

void ImagePainter::begin() {
  pool_.reset();
  sets_.clear();
}

vk::DescriptorSet ImagePainter::setOf(const gpu::Buffer& buffer) {
  if (const auto known = sets_.find(buffer.number()); known != sets_.end()) return known->second;
  if (sets_.size() == kMostBuffers) throw Error("a picture shows images of too many buffers");
  const vk::DescriptorSetLayout setLayout = *setLayout_;
  vk::DescriptorSetAllocateInfo allocate{.descriptorPool = *pool_};
  allocate.setSetLayouts(setLayout);
  const vk::DescriptorSet set =
      (*device_.handle()).allocateDescriptorSets(allocate, *device_.handle().getDispatcher())[0];
  const vk::DescriptorBufferInfo whole{buffer.handle(), 0, VK_WHOLE_SIZE};
  vk::WriteDescriptorSet write{.dstSet = set, .descriptorType = vk::DescriptorType::eStorageBuffer};
  write.setBufferInfo(whole);
  device_.handle().updateDescriptorSets(write, nullptr);
  return sets_.emplace(buffer.number(), set).first->second;
}

void ImagePainter::paint(const vk::raii::CommandBuffer& commands, const PaintedImage& image,
                         vk::Extent2D framebuffer) {
  const float left = std::clamp(image.visible.x, 0.0F, static_cast<float>(framebuffer.width));
  const float top = std::clamp(image.visible.y, 0.0F, static_cast<float>(framebuffer.height));
  const float right = std::clamp(image.visible.x + image.visible.width, left,
                                 static_cast<float>(framebuffer.width));
  const float bottom = std::clamp(image.visible.y + image.visible.height, top,
                                  static_cast<float>(framebuffer.height));
  const vk::Rect2D scissor{
      {static_cast<int32_t>(left), static_cast<int32_t>(top)},
      {static_cast<uint32_t>(right - left), static_cast<uint32_t>(bottom - top)}};
  if (!image.plane->buffer || scissor.extent.width == 0 || scissor.extent.height == 0) return;
  const gpu::ImageFormat& format = image.plane->format;
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics,
                        pipeline({format.bits, format.channels, image.intensity,
                                  samples(image.zoom), image.warp.has_value()}));
  commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *layout_, 0,
                              setOf(*image.plane->buffer), nullptr);
  const shared::PlaneShape& shape = image.plane->shape;
  Params params{.originX = image.origin.x,
                .originY = image.origin.y,
                .width = format.width,
                .height = format.height,
                .pitch = shape.pitch,
                .first = image.layer * shape.layerStride,
                .step = static_cast<float>(1 / image.zoom),
                .black = image.black,
                .gain = 1 / std::max(image.white - image.black, 1e-3F),
                .white = image.white,
                .threshold = image.threshold};
  for (size_t i = 0; image.warp && i < 9; ++i) params.warp[i / 3 * 4 + i % 3] = (*image.warp)[i];
  commands.pushConstants<Params>(*layout_, vk::ShaderStageFlagBits::eFragment, 0, params);
  commands.setViewport(
      0, vk::Viewport{static_cast<float>(scissor.offset.x), static_cast<float>(scissor.offset.y),
                      static_cast<float>(scissor.extent.width),
                      static_cast<float>(scissor.extent.height), 0, 1});
  commands.setScissor(0, scissor);
  commands.draw(4, 1, 0, 0);
}

}  // namespace glint::ui
