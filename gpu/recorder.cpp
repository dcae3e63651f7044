#include "gpu/recorder.h"

#include <algorithm>
#include <array>
#include <thread>

#include "config/error.h"
#include "gpu/ticks.h"

namespace glint {
namespace {

constexpr uint32_t kMaxPasses = 1024;  // of one recording
constexpr uint32_t kMaxBindings = 8 * kMaxPasses;
constexpr std::chrono::microseconds kMostSpin(500);

using Stage = vk::PipelineStageFlagBits;
using Access = vk::AccessFlagBits;

void memoryBarrier(const vk::raii::CommandBuffer& commands, vk::PipelineStageFlags to,
                   vk::AccessFlags access) {
  const vk::MemoryBarrier barrier{.srcAccessMask = Access::eShaderWrite | Access::eTransferWrite,
                                  .dstAccessMask = access};
  commands.pipelineBarrier(Stage::eComputeShader | Stage::eTransfer, to, {}, barrier, {}, {});
}

uint32_t groups(uint32_t invocations, uint32_t local) {
  return (invocations + local - 1) / local;
}

}  // namespace

Timeline::Timeline(const Device& device_) : device(device_.keepAlive()), semaphore(nullptr) {
  const vk::SemaphoreTypeCreateInfo type{.semaphoreType = vk::SemaphoreType::eTimeline};
  semaphore = {device_.handle(), vk::SemaphoreCreateInfo{.pNext = &type}};
}

Recorder::Recorder(const Device& device, Timing timing)
    : device_(device),
      commandPool_(
          device.handle(),
          vk::CommandPoolCreateInfo{.flags = vk::CommandPoolCreateFlagBits::eResetCommandBuffer,
                                    .queueFamilyIndex = device.queueFamily()}),
      timing_(timing) {
  commands_ = std::move(vk::raii::CommandBuffers(
      device.handle(), vk::CommandBufferAllocateInfo{.commandPool = *commandPool_,
                                                     .level = vk::CommandBufferLevel::ePrimary,
                                                     .commandBufferCount = 1})[0]);
  const std::array sizes{vk::DescriptorPoolSize{.type = vk::DescriptorType::eStorageBuffer,
                                                .descriptorCount = kMaxBindings},
                         vk::DescriptorPoolSize{.type = vk::DescriptorType::eUniformBuffer,
                                                .descriptorCount = kMaxPasses},
                         vk::DescriptorPoolSize{.type = vk::DescriptorType::eUniformTexelBuffer,
                                                .descriptorCount = kMaxPasses}};
  vk::DescriptorPoolCreateInfo pool{.maxSets = kMaxPasses};
  pool.setPoolSizes(sizes);
  descriptors_ = {device.handle(), pool};
  if (device.timestampBits() != 0 && timing != Timing::none) {
    queries_ = {device.handle(), vk::QueryPoolCreateInfo{.queryType = vk::QueryType::eTimestamp,
                                                         .queryCount = kMaxPasses + 1}};
  }
  timeline_ = std::make_shared<const Timeline>(device);
}

Recorder::~Recorder() {
  try {
    wait();
  } catch (const std::exception&) {
    // The device is lost: nothing is in flight any more.
  }
}

void Recorder::begin() {
  wait();
  if (recording_) commands_.reset();  // an exception broke it off
  ahead_ = false;
  descriptors_.reset();
  passes_ = 0;
  marks_.clear();
  read_.clear();
  written_.clear();
  commands_.begin({.flags = vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
  recording_ = true;
  barrier();  // after what the submission before this one wrote
  stamps_ = timed_ && *queries_;
  if (stamps_) {
    commands_.resetQueryPool(*queries_, 0, kMaxPasses + 1);
    commands_.writeTimestamp(Stage::eBottomOfPipe, *queries_, 0);
  }
}

// What a pass uses: it waits for passes since the last barrier if it touches what they wrote, or
// writes what they read. A buffer that it binds twice does not make it wait for itself.
void Recorder::use(std::span<const Use> uses) {
  const auto conflicts = [this](const Use& u) {
    return written_.contains(u.buffer) || (u.writes && read_.contains(u.buffer));
  };
  if (std::any_of(uses.begin(), uses.end(), conflicts)) barrier();
  for (const Use& u : uses) {
    if (u.reads) read_.insert(u.buffer);
    if (u.writes) written_.insert(u.buffer);
  }
}

void Recorder::barrier(vk::PipelineStageFlags also, vk::AccessFlags access) {
  memoryBarrier(commands_, Stage::eComputeShader | Stage::eTransfer | also,
                Access::eShaderRead | Access::eShaderWrite | Access::eUniformRead |
                    Access::eTransferRead | Access::eTransferWrite | access);
  read_.clear();
  written_.clear();
}

void Recorder::beginPass(const std::string& name) {
  if (passes_++ == kMaxPasses)
    throw Error("a recording has more than " + std::to_string(kMaxPasses) + " passes");
  pass_ = name;
  if (device_.hasLabels()) commands_.beginDebugUtilsLabelEXT({.pLabelName = name.c_str()});
}

void Recorder::endPass() {
  if (device_.hasLabels()) commands_.endDebugUtilsLabelEXT();
  if (!ahead_ && (timing_ == Timing::passes || pass_ == kUpload)) mark(pass_);
  if (device_.guards() != nullptr && device_.guards()->everyPass()) runPassAlone();
}

void Recorder::runPassAlone() {
  memoryBarrier(commands_, Stage::eHost, Access::eHostRead);
  device_.holdFence(commands_);
  commands_.end();
  const Timeline alone(device_);
  device_.submit(*commands_, *alone.semaphore, 1);
  waitFor(alone, 1);
  device_.guards()->check(pass_);
  commands_.begin({.flags = vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
  barrier();
}

void Recorder::mark(const std::string& name) {
  if (!stamps_) return;
  marks_.push_back(name);
  commands_.writeTimestamp(Stage::eBottomOfPipe, *queries_, static_cast<uint32_t>(marks_.size()));
}

vk::DescriptorSet Recorder::bind(const Kernel& kernel, std::span<const Buffer* const> buffers) {
  const vk::DescriptorSetLayout layout = kernel.setLayout();
  vk::DescriptorSetAllocateInfo allocate{.descriptorPool = *descriptors_};
  allocate.setSetLayouts(layout);
  const vk::DescriptorSet set =
      (*device_.handle())
          .allocateDescriptorSets(allocate,
                                  *device_.handle().getDispatcher())[0];  // the pool frees it
  std::vector<vk::DescriptorBufferInfo> infos;
  std::vector<vk::BufferView> views;
  for (const Buffer* buffer : buffers) {
    infos.push_back({.buffer = buffer->handle(), .range = VK_WHOLE_SIZE});
    views.push_back(buffer->texels());
  }
  std::vector<vk::WriteDescriptorSet> writes;
  for (const auto& binding : kernel.bindings()) {
    writes.push_back({.dstSet = set,
                      .dstBinding = binding.index,
                      .descriptorCount = 1,
                      .descriptorType = binding.descriptor(),
                      .pBufferInfo = &infos[binding.index],
                      .pTexelBufferView = &views[binding.index]});
  }
  device_.handle().updateDescriptorSets(writes, {});
  return set;
}

void Recorder::runBytes(const Kernel& kernel, std::span<const Buffer* const> buffers,
                        std::span<const std::byte> params, const Work& work) {
  if (buffers.size() != kernel.bindings().size() || params.size() != kernel.pushBytes()) {
    throw Error("kernel '" + kernel.name() + "' takes " + std::to_string(kernel.bindings().size()) +
                " buffers and " + std::to_string(kernel.pushBytes()) +
                " bytes of parameters, not " + std::to_string(buffers.size()) + " and " +
                std::to_string(params.size()));
  }
  std::vector<Use> uses;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const auto& binding = kernel.bindings()[i];
    uses.push_back({buffers[i]->handle(), binding.reads, binding.writes});
  }
  const auto* const counted = std::get_if<std::reference_wrapper<const Buffer>>(&work);
  if (counted != nullptr) {
    barrier(Stage::eDrawIndirect, Access::eIndirectCommandRead);
    uses.push_back({counted->get().handle(), true, false});
  }
  use(uses);
  beginPass(kernel.name());
  commands_.bindPipeline(vk::PipelineBindPoint::eCompute, kernel.pipeline());
  commands_.bindDescriptorSets(vk::PipelineBindPoint::eCompute, kernel.layout(), 0,
                               bind(kernel, buffers), {});
  commands_.pushConstants<std::byte>(
      kernel.layout(), vk::ShaderStageFlagBits::eCompute, 0,
      vk::ArrayProxy<const std::byte>(static_cast<uint32_t>(params.size()), params.data()));
  if (counted != nullptr) {
    commands_.dispatchIndirect(counted->get().handle(), 0);
  } else {
    const auto& [x, y, z] = std::get<Extent>(work);
    const auto& local = kernel.localSize();
    commands_.dispatch(groups(x, local[0]), groups(y, local[1]), groups(z, local[2]));
  }
  endPass();
}

void Recorder::clear(const Buffer& buffer) {
  use(std::array{Use{buffer.handle(), false, true}});
  beginPass("clear");
  commands_.fillBuffer(buffer.handle(), 0, buffer.size(), 0);
  endPass();
}

void Recorder::copy(const Buffer& from, const Buffer& to, size_t bytes, const std::string& name) {
  use(std::array{Use{from.handle(), true, false}, Use{to.handle(), false, true}});
  beginPass(name);
  commands_.copyBuffer(from.handle(), to.handle(), vk::BufferCopy{.size = bytes});
  endPass();
}

void Recorder::copyParts(const Buffer& from, const Buffer& to, std::span<const Part> parts,
                         const std::string& name) {
  if (parts.empty()) return;
  use(std::array{Use{from.handle(), true, false}, Use{to.handle(), false, true}});
  beginPass(name);
  std::vector<vk::BufferCopy> regions;
  for (const Part& part : parts)
    regions.push_back({.srcOffset = part.from, .dstOffset = part.to, .size = part.bytes});
  commands_.copyBuffer(from.handle(), to.handle(), regions);
  endPass();
}

void Recorder::submit() {
  if (timing_ == Timing::whole) mark("detection");
  memoryBarrier(commands_, Stage::eHost, Access::eHostRead);
  if (stamps_) device_.holdFence(commands_);
  commands_.end();
  recording_ = false;
  submittedMarks_.clear();
  submittedAt_ = Clock::now();
  device_.submit(*commands_, *timeline_->semaphore, nextValue());
  ++submitted_;
  submittedMarks_ = marks_;
}

void Recorder::waitFor(const Timeline& timeline, uint64_t value, Clock::time_point spinUntil) const {
  vk::SemaphoreWaitInfo info{};
  const vk::Semaphore semaphore = *timeline.semaphore;
  info.setSemaphores(semaphore);
  info.setValues(value);
  device_.noticeLoss([&] {
    while (Clock::now() < spinUntil) {
      if (timeline.semaphore.getCounterValue() >= value) return;
      std::this_thread::yield();
    }
    if (device_.handle().waitSemaphores(info, UINT64_MAX) != vk::Result::eSuccess)
      throw Error("the device '" + device_.info().name + "' stopped answering");
  });
}

void Recorder::wait(bool spin) {
  bool waits = false;
  device_.noticeLoss([&] { waits = timeline_->semaphore.getCounterValue() < submitted_; });
  Clock::time_point until{};
  if (spin) {
    until = Clock::time_point::max();
  } else if (device_.info().type != "cpu") {
    until = submittedAt_ + std::min<Clock::duration>(2 * usual_, kMostSpin);
  }
  waitFor(*timeline_, submitted_, until);
  if (waits) usual_ += (Clock::now() - submittedAt_ - usual_) / 8;
  device_.noticeLoss([&] { readTimes(); });
  if (device_.guards() != nullptr) device_.guards()->check();
}

void Recorder::readTimes() {
  times_.clear();
  if (submittedMarks_.empty()) return;
  const size_t count = submittedMarks_.size() + 1;
  const auto [result, ticks] =
      queries_.getResults<uint64_t>(0, static_cast<uint32_t>(count), count * sizeof(uint64_t),
                                    sizeof(uint64_t), vk::QueryResultFlagBits::e64);
  if (result != vk::Result::eSuccess) return;
  const double microseconds = static_cast<double>(device_.limits().timestampPeriod) / 1000;
  for (size_t i = 0; i + 1 < count; ++i) {
    const uint64_t spent = ticksBetween(ticks[i], ticks[i + 1], device_.timestampBits());
    times_.push_back({submittedMarks_[i], static_cast<double>(spent) * microseconds});
  }
}

}  // namespace glint
