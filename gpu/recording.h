// A list of passes, and a command buffer in which they are recorded.
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

/// The times that are taken: one for every pass, one for the upload and one for all the rest, or
/// none. A time stamp between two passes prevents them from overlapping. That costs about 1 us on a
/// fast device, and 30 us on llvmpipe, where all threads have to wait for each other.
enum class Timing { passes, whole, none };

inline const std::string kUpload = "upload";

/// A reference to a buffer of a pass. The Buffer object may be moved in the meantime.
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

/// A pass. Equal passes do the same, so a recording of one can be used for the other.
struct DevicePass {
  bool operator==(const DevicePass&) const = default;
  const std::string& name() const { return kernel != nullptr ? kernel->name() : copied; }

  const Kernel* kernel = nullptr;  ///< null: the pass copies parts of a buffer, or clears one
  uint64_t kernelNumber = 0;       ///< identifies the kernel, because its address may be used again
  std::vector<PassBuffer> buffers;
  std::vector<std::byte> params;
  std::array<uint32_t, 3> groups{};   ///< workgroups along x, y and z
  std::optional<PassBuffer> counted;  ///< buffer with these numbers, if the device computes them
  std::vector<CopyPart> parts;
  std::string copied;   ///< name of a pass without a kernel
  bool ahead = false;   ///< true if it gets no time stamp of its own
  bool beside = false;  ///< true if its kernel waits for earlier passes by itself
};

/// A command buffer, and the passes that are recorded in it. Barriers, labels and time stamps are
/// set here. Only one thread may use it. After submitting it, the caller must wait before recording
/// again.
class Recording {
 public:
  /// Makes a command buffer with room for `mostPasses` passes. `device` and `pool` must outlive it.
  Recording(const Device& device, const vk::raii::CommandPool& pool, uint32_t mostPasses);

  /// Returns true if exactly these passes are recorded, with or without time stamps as `stamped`
  /// says, and may be submitted again.
  bool holds(std::span<const DevicePass> passes, bool stamped) const;

  /// Records passes. `stamps` is the pool for time stamps, or null. If `once` is true, the
  /// recording may be submitted only once. Throws DeviceLost.
  void record(std::span<const DevicePass> passes, Timing timing, vk::QueryPool stamps, bool once);

  vk::CommandBuffer commands() const { return *commands_; }

  /// Returns the names of the passes that end at each time stamp after the first.
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
  bool begun_ = false;  // true between begin() and end(), also after an exception
  bool whole_ = false;  // true if passes_ are recorded and may be submitted again
  std::vector<DevicePass> passes_;
  std::vector<std::string> marks_;
  std::unordered_set<VkBuffer> read_, written_;  // buffers used since the last barrier
};

}  // namespace glint::gpu
