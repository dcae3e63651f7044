// Passes as they were asked for, and a command buffer that holds them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/kernel.h"

namespace glint::gpu {

/// Which times are taken: of every pass, only of the upload and of all the rest as one, or none. A
/// time stamp between two passes keeps them apart, which costs about a microsecond each on a fast
/// device, and on llvmpipe, whose threads all have to meet there, 30.
enum class Timing { passes, whole, none };

inline const std::string kUpload = "upload";

/// A buffer of a pass. The Buffer may be moved meanwhile.
struct PassBuffer {
  PassBuffer(const Buffer& buffer)
      : number(buffer.number()), handle(buffer.handle()), views(buffer.views()) {}
  bool operator==(const PassBuffer& other) const { return number == other.number; }

  uint64_t number;
  vk::Buffer handle;
  BufferViews views;
};

/// A part of a buffer that is copied.
struct CopyPart {
  size_t from = 0, to = 0, bytes = 0;
  bool operator==(const CopyPart&) const = default;
};

/// A pass. Of two that are equal, one may be done for the other.
struct DevicePass {
  bool operator==(const DevicePass&) const = default;
  const std::string& name() const { return kernel != nullptr ? kernel->name() : copied; }

  const Kernel* kernel = nullptr;  ///< null: parts of a buffer go to another, or one is cleared
  uint64_t kernelNumber = 0;       ///< another kernel may lie where one was
  std::vector<PassBuffer> buffers;
  std::vector<std::byte> params;
  std::array<uint32_t, 3> groups{};   ///< workgroups along x, y and z
  std::optional<PassBuffer> counted;  ///< where they are told instead
  std::vector<CopyPart> parts;
  std::string copied;   ///< the name of what is no kernel
  bool ahead = false;   ///< it needs no time stamp of its own
  bool beside = false;  ///< its kernel waits by itself for those before it
};

/// A command buffer, with the passes that it holds last. All barriers, labels and time stamps are
/// set here. One thread; whoever submits it waits before it is recorded again.
class Recording {
 public:
  /// With room for so many passes. `device` and `pool` must outlive it.
  Recording(const Device& device, const vk::raii::CommandPool& pool, uint32_t mostPasses);

  /// Whether it holds these, with time stamps or without, and may be submitted once more.
  bool holds(std::span<const DevicePass> passes, bool stamped) const;

  /// `stamps`: where time stamps go to, null for none. With `once` it is submitted no second time.
  /// Throws DeviceLost.
  void record(std::span<const DevicePass> passes, Timing timing, vk::QueryPool stamps, bool once);

  vk::CommandBuffer commands() const { return *commands_; }

  /// What ends at each time stamp after the first.
  const std::vector<std::string>& marks() const { return marks_; }

 private:
  struct Use {
    VkBuffer buffer;
    bool reads, writes;
  };
  void begin(bool once);
  void end();
  void recordPass(const DevicePass& pass);
  void dispatch(const DevicePass& pass);
  void copy(const DevicePass& pass);
  vk::DescriptorSet bind(const DevicePass& pass);
  void use(std::span<const Use> uses, bool beside = false);
  void barrier(vk::PipelineStageFlags also = {}, vk::AccessFlags access = {});
  void runAlone(const std::string& name);
  void mark(const std::string& name);

  const Device& device_;
  vk::raii::CommandBuffer commands_ = nullptr;
  vk::raii::DescriptorPool descriptors_ = nullptr;
  vk::QueryPool stamps_;
  bool begun_ = false;  // and an exception broke it off
  bool whole_ = false;  // it holds passes_, for more than once
  std::vector<DevicePass> passes_;
  std::vector<std::string> marks_;
  std::unordered_set<VkBuffer> read_, written_;  // since the last barrier
};

}  // namespace glint::gpu
