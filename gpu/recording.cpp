#include "gpu/recording.h"

#include <algorithm>

#include "gpu/timeline.h"

namespace glint::gpu {
namespace {

constexpr uint32_t kBindingsOfPass = 16;  // most bindings of a pass

using Stage = vk::PipelineStageFlagBits;
using Access = vk::AccessFlagBits;

void memoryBarrier(const vk::raii::CommandBuffer& commands, vk::PipelineStageFlags to,
                   vk::AccessFlags access) {
  const vk::MemoryBarrier barrier{.srcAccessMask = Access::eShaderWrite | Access::eTransferWrite,
                                  .dstAccessMask = access};
  commands.pipelineBarrier(Stage::eComputeShader | Stage::eTransfer, to, {}, barrier, {}, {});
}

}  // namespace

Recording::Recording(const Device& device, const vk::raii::CommandPool& pool, uint32_t mostPasses)
    : device_(device) {
  commands_ = std::move(vk::raii::CommandBuffers(
      device.handle(), vk::CommandBufferAllocateInfo{.commandPool = *pool,
                                                     .level = vk::CommandBufferLevel::ePrimary,
                                                     .commandBufferCount = 1})[0]);
  const std::array sizes{vk::DescriptorPoolSize{.type = vk::DescriptorType::eStorageBuffer,
                                                .descriptorCount = kBindingsOfPass * mostPasses},
                         vk::DescriptorPoolSize{.type = vk::DescriptorType::eUniformBuffer,
                                                .descriptorCount = mostPasses},
                         vk::DescriptorPoolSize{.type = vk::DescriptorType::eUniformTexelBuffer,
                                                .descriptorCount = mostPasses},
                         vk::DescriptorPoolSize{.type = vk::DescriptorType::eStorageTexelBuffer,
                                                .descriptorCount = mostPasses}};
  vk::DescriptorPoolCreateInfo sets{.maxSets = mostPasses};
  sets.setPoolSizes(sizes);
  descriptors_ = {device.handle(), sets};
}

bool Recording::holds(std::span<const DevicePass> passes, bool stamped) const {
  return whole_ && stamped == static_cast<bool>(stamps_) && std::ranges::equal(passes, passes_);
}

void Recording::record(std::span<const DevicePass> passes, Timing timing, vk::QueryPool stamps,
                       bool once) {
  whole_ = false;
  stamps_ = stamps;
  marks_.clear();
  descriptors_.reset();
  begin(once);
  barrier();  // waits for the writes of the previous submission
  if (stamps_) {
    commands_.resetQueryPool(stamps_, 0, static_cast<uint32_t>(passes.size()) + 2);
    commands_.writeTimestamp(Stage::eBottomOfPipe, stamps_, 0);
  }
  for (const DevicePass& pass : passes) {
    recordPass(pass);
    if (!pass.ahead && (timing == Timing::passes || pass.name() == kUpload)) mark(pass.name());
    if (device_.guards() != nullptr && device_.guards()->everyPass()) runAlone(pass.name());
  }
  if (timing == Timing::whole) mark("detection");
  memoryBarrier(commands_, Stage::eHost, Access::eHostRead);
  if (stamps_) device_.holdFence(commands_);
  end();
  if (once) return;
  passes_.assign(passes.begin(), passes.end());
  whole_ = true;
}

void Recording::begin(bool once) {
  using Flag = vk::CommandBufferUsageFlagBits;
  if (begun_) commands_.reset();
  begun_ = true;
  commands_.begin({.flags = once ? Flag::eOneTimeSubmit : vk::CommandBufferUsageFlags{}});
  read_.clear();
  written_.clear();
}

void Recording::end() {
  commands_.end();
  begun_ = false;
}

void Recording::recordPass(const DevicePass& pass) {
  if (device_.hasLabels()) commands_.beginDebugUtilsLabelEXT({.pLabelName = pass.name().c_str()});
  pass.kernel != nullptr ? dispatch(pass) : copy(pass);
  if (device_.hasLabels()) commands_.endDebugUtilsLabelEXT();
}

void Recording::dispatch(const DevicePass& pass) {
  const Kernel& kernel = *pass.kernel;
  std::vector<Use> uses;
  for (size_t i = 0; i < pass.buffers.size(); ++i) {
    const auto& binding = kernel.bindings()[i];
    uses.push_back({pass.buffers[i].handle, binding.reads, binding.writes});
  }
  if (pass.counted) {
    barrier(Stage::eDrawIndirect, Access::eIndirectCommandRead);
    uses.push_back({pass.counted->handle, true, false});
  }
  use(uses, pass.beside);
  commands_.bindPipeline(vk::PipelineBindPoint::eCompute, kernel.pipeline());
  commands_.bindDescriptorSets(vk::PipelineBindPoint::eCompute, kernel.layout(), 0, bind(pass), {});
  commands_.pushConstants<std::byte>(
      kernel.layout(), vk::ShaderStageFlagBits::eCompute, 0,
      vk::ArrayProxy<const std::byte>(static_cast<uint32_t>(pass.params.size()),
                                      pass.params.data()));
  const auto [x, y, z] = pass.groups;
  pass.counted ? commands_.dispatchIndirect(pass.counted->handle, 0) : commands_.dispatch(x, y, z);
}

void Recording::copy(const DevicePass& pass) {
  const vk::Buffer from = pass.buffers.front().handle, to = pass.buffers.back().handle;
  if (pass.buffers.size() == 1) {
    use(std::array{Use{to, false, true}});
    commands_.fillBuffer(to, 0, pass.parts.front().bytes, 0);
    return;
  }
  use(std::array{Use{from, true, false}, Use{to, false, true}});
  std::vector<vk::BufferCopy> regions;
  for (const CopyPart& part : pass.parts)
    regions.push_back({.srcOffset = part.from, .dstOffset = part.to, .size = part.bytes});
  commands_.copyBuffer(from, to, regions);
}

vk::DescriptorSet Recording::bind(const DevicePass& pass) {
  const vk::DescriptorSetLayout layout = pass.kernel->setLayout();
  vk::DescriptorSetAllocateInfo allocate{.descriptorPool = *descriptors_};
  allocate.setSetLayouts(layout);
  const vk::DescriptorSet set =
      (*device_.handle())
          .allocateDescriptorSets(allocate,
                                  *device_.handle().getDispatcher())[0];  // the pool frees it
  std::vector<vk::DescriptorBufferInfo> infos;
  std::vector<vk::WriteDescriptorSet> writes;
  infos.reserve(pass.buffers.size());
  for (const auto& binding : pass.kernel->bindings()) {
    const PassBuffer& buffer = pass.buffers[binding.index];
    infos.push_back({.buffer = buffer.handle, .range = VK_WHOLE_SIZE});
    writes.push_back({.dstSet = set,
                      .dstBinding = binding.index,
                      .descriptorCount = 1,
                      .descriptorType = binding.type,
                      .pBufferInfo = &infos.back(),
                      .pTexelBufferView = binding.type == vk::DescriptorType::eStorageTexelBuffer
                                              ? &buffer.views.words
                                              : &buffer.views.loads});
  }
  device_.handle().updateDescriptorSets(writes, {});
  return set;
}

// Registers the buffers that a pass uses. Sets a barrier before the pass if it uses a buffer that
// was written since the last barrier, or writes one that was read, unless `beside` says that its
// kernel waits by itself. A buffer that the pass binds twice causes no barrier.
void Recording::use(std::span<const Use> uses, bool beside) {
  const auto conflicts = [this](const Use& u) {
    return written_.contains(u.buffer) || (u.writes && read_.contains(u.buffer));
  };
  if (!beside && std::any_of(uses.begin(), uses.end(), conflicts)) barrier();
  for (const Use& u : uses) {
    if (u.reads) read_.insert(u.buffer);
    if (u.writes) written_.insert(u.buffer);
  }
}

void Recording::barrier(vk::PipelineStageFlags also, vk::AccessFlags access) {
  memoryBarrier(commands_, Stage::eComputeShader | Stage::eTransfer | also,
                Access::eShaderRead | Access::eShaderWrite | Access::eUniformRead |
                    Access::eTransferRead | Access::eTransferWrite | access);
  read_.clear();
  written_.clear();
}

void Recording::runAlone(const std::string& name) {
  memoryBarrier(commands_, Stage::eHost, Access::eHostRead);
  device_.holdFence(commands_);
  end();
  const Timeline alone(device_);
  device_.submit(*commands_, *alone.semaphore, 1);
  alone.wait(device_, 1);
  device_.guards()->check(name);
  begin(true);
  barrier();
}

void Recording::mark(const std::string& name) {
  if (!stamps_) return;
  marks_.push_back(name);
  commands_.writeTimestamp(Stage::eBottomOfPipe, stamps_, static_cast<uint32_t>(marks_.size()));
}

}  // namespace glint::gpu
