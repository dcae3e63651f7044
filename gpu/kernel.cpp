#include "gpu/kernel.h"

#include <algorithm>
#include <memory>

#include <spirv_cross/spirv_cross_c.h>

#include "config/error.h"

namespace glint::gpu {
namespace {

using Context = std::unique_ptr<spvc_context_s, decltype(&spvc_context_destroy)>;

/// SPIRV-Cross' view of one shader.
struct Reflection {
  explicit Reflection(std::span<const uint32_t> spirv) : context(nullptr, spvc_context_destroy) {
    spvc_context raw = nullptr;
    check(spvc_context_create(&raw));
    context.reset(raw);
    spvc_parsed_ir ir = nullptr;
    check(spvc_context_parse_spirv(raw, spirv.data(), spirv.size(), &ir));
    check(spvc_context_create_compiler(raw, SPVC_BACKEND_NONE, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP,
                                       &compiler));
    check(spvc_compiler_create_shader_resources(compiler, &resources));
  }

  static void check(spvc_result result) {
    if (result != SPVC_SUCCESS) throw Error("it is not SPIR-V that can be reflected");
  }

  std::span<const spvc_reflected_resource> list(spvc_resource_type type) const {
    const spvc_reflected_resource* all = nullptr;
    size_t count = 0;
    check(spvc_resources_get_resource_list_for_type(resources, type, &all, &count));
    return {all, count};
  }

  bool decorated(const spvc_reflected_resource& resource, SpvDecoration which) const {
    const SpvDecoration* all = nullptr;
    size_t count = 0;
    check(spvc_compiler_get_buffer_block_decorations(compiler, resource.id, &all, &count));
    return std::find(all, all + count, which) != all + count;
  }

  uint32_t binding(const spvc_reflected_resource& resource) const {
    return spvc_compiler_get_decoration(compiler, resource.id, SpvDecorationBinding);
  }

  Context context;
  spvc_compiler compiler = nullptr;
  spvc_resources resources = nullptr;
};

}  // namespace

Kernel::Kernel(const Device& device, std::string name, std::span<const uint32_t> spirv,
               std::span<const uint32_t> constants)
    : name_(std::move(name)), number_(device.newNumber()) {
  try {
    reflect(spirv, constants);
  } catch (const Error& error) {
    throw Error("kernel '" + name_ + "': " + error.what());
  }
  makeLayout(device);

  std::vector<vk::SpecializationMapEntry> entries;
  for (uint32_t i = 0; i < constants.size(); ++i) {
    entries.push_back({.constantID = i, .offset = i * 4, .size = 4});
  }
  vk::SpecializationInfo specialization{.dataSize = constants.size_bytes(),
                                        .pData = constants.data()};
  specialization.setMapEntries(entries);
  const vk::raii::ShaderModule module(
      device.handle(),
      vk::ShaderModuleCreateInfo{.codeSize = spirv.size_bytes(), .pCode = spirv.data()});
  const vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo size{.requiredSubgroupSize =
                                                                       device.subgroupSize()};
  const auto [least, most] = device.subgroupSizes();
  const vk::ComputePipelineCreateInfo create{.stage = {.pNext = least != most ? &size : nullptr,
                                                       .stage = vk::ShaderStageFlagBits::eCompute,
                                                       .module = *module,
                                                       .pName = "main",
                                                       .pSpecializationInfo = &specialization},
                                             .layout = *layout_};
  pipeline_ = {device.handle(), device.kernelCache().handle(), create};
  device.nameObject(pipeline_, name_);
}

void Kernel::reflect(std::span<const uint32_t> spirv, std::span<const uint32_t> constants) {
  const Reflection shader(spirv);
  using Type = vk::DescriptorType;
  for (const auto& [kind, type] :
       {std::pair{SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, Type::eUniformBuffer},
        {SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, Type::eUniformTexelBuffer},
        {SPVC_RESOURCE_TYPE_STORAGE_IMAGE, Type::eStorageTexelBuffer}}) {
    for (const auto& resource : shader.list(kind))
      bindings_.push_back({.index = shader.binding(resource), .type = type, .writes = false});
  }
  for (const auto& resource : shader.list(SPVC_RESOURCE_TYPE_STORAGE_BUFFER)) {
    bindings_.push_back({.index = shader.binding(resource),
                         .reads = !shader.decorated(resource, SpvDecorationNonReadable),
                         .writes = !shader.decorated(resource, SpvDecorationNonWritable)});
  }
  std::sort(bindings_.begin(), bindings_.end(),
            [](const Binding& a, const Binding& b) { return a.index < b.index; });
  for (uint32_t i = 0; i < bindings_.size(); ++i) {
    if (bindings_[i].index != i) throw Error("its bindings are not 0, 1, 2 ... without a gap");
  }
  for (const auto& push : shader.list(SPVC_RESOURCE_TYPE_PUSH_CONSTANT)) {
    size_t bytes = 0;
    Reflection::check(spvc_compiler_get_declared_struct_size(
        shader.compiler, spvc_compiler_get_type_handle(shader.compiler, push.base_type_id),
        &bytes));
    pushBytes_ = static_cast<uint32_t>(bytes);
  }
  for (uint32_t i = 0; i < 3; ++i) {
    localSize_[i] = spvc_compiler_get_execution_mode_argument_by_index(
        shader.compiler, SpvExecutionModeLocalSize, i);
  }
  std::array<spvc_specialization_constant, 3> sizes{};
  spvc_compiler_get_work_group_size_specialization_constants(shader.compiler, &sizes[0], &sizes[1],
                                                             &sizes[2]);
  for (uint32_t i = 0; i < 3; ++i) {
    if (sizes[i].id != 0 && sizes[i].constant_id < constants.size())
      localSize_[i] = constants[sizes[i].constant_id];
  }
}

void Kernel::makeLayout(const Device& device) {
  std::vector<vk::DescriptorSetLayoutBinding> bindings;
  for (const Binding& binding : bindings_) {
    bindings.push_back({.binding = binding.index,
                        .descriptorType = binding.type,
                        .descriptorCount = 1,
                        .stageFlags = vk::ShaderStageFlagBits::eCompute});
  }
  vk::DescriptorSetLayoutCreateInfo set{};
  set.setBindings(bindings);
  setLayout_ = {device.handle(), set};

  vk::PipelineLayoutCreateInfo layout{};
  const vk::PushConstantRange push{.stageFlags = vk::ShaderStageFlagBits::eCompute,
                                   .size = pushBytes_};
  const vk::DescriptorSetLayout sets = *setLayout_;
  layout.setSetLayouts(sets);
  if (pushBytes_ != 0) layout.setPushConstantRanges(push);
  layout_ = {device.handle(), layout};
}

}  // namespace glint::gpu
