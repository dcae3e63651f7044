// One compute pipeline. Its interface is read from its SPIR-V.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/device.h"

namespace glint::gpu {

/// A compute shader that is ready to run. Bindings, push constants and workgroup size come from the
/// SPIR-V.
class Kernel {
 public:
  struct Binding {
    uint32_t index = 0;
    /// The kind of buffer. Texel buffers are read through BufferViews: uniform texel buffers as
    /// loads, storage texel buffers as words.
    vk::DescriptorType type = vk::DescriptorType::eStorageBuffer;
    bool reads = true;   ///< the shader may load from it
    bool writes = true;  ///< the shader may store to it
  };

  /// `constants` are the values of the specialisation constants 0, 1, 2 and so on. Those that the
  /// shader does not have are ignored. Throws Error with the kernel's name if Glint cannot bind its
  /// interface.
  Kernel(const Device& device, std::string name, std::span<const uint32_t> spirv,
         std::span<const uint32_t> constants = {});

  const std::string& name() const { return name_; }
  uint64_t number() const { return number_; }                         ///< see Buffer::number()
  const std::vector<Binding>& bindings() const { return bindings_; }  ///< sorted by index
  uint32_t pushBytes() const { return pushBytes_; }
  const std::array<uint32_t, 3>& localSize() const { return localSize_; }  ///< invocations
  vk::Pipeline pipeline() const { return *pipeline_; }
  vk::PipelineLayout layout() const { return *layout_; }
  vk::DescriptorSetLayout setLayout() const { return *setLayout_; }

 private:
  void reflect(std::span<const uint32_t> spirv, std::span<const uint32_t> constants);
  void makeLayout(const Device& device);

  std::string name_;
  uint64_t number_;
  std::vector<Binding> bindings_;
  uint32_t pushBytes_ = 0;
  std::array<uint32_t, 3> localSize_{1, 1, 1};
  vk::raii::DescriptorSetLayout setLayout_ = nullptr;
  vk::raii::PipelineLayout layout_ = nullptr;
  vk::raii::Pipeline pipeline_ = nullptr;
};

}  // namespace glint::gpu
