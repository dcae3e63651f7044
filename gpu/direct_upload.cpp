#include "gpu/direct_upload.h"

#include <cstdlib>
#include <string_view>

namespace glint {

bool uploadsDirectly(const vk::PhysicalDeviceMemoryProperties& memory) {
  const char* wish = std::getenv("GLINT_DIRECT_UPLOAD");
  if (!wish || std::string_view(wish) != "1") return false;
  using Flag = vk::MemoryPropertyFlagBits;
  constexpr auto kDirect = Flag::eDeviceLocal | Flag::eHostVisible | Flag::eHostCoherent;
  // Without a resizable BAR the host reaches 256 MiB of it only.
  constexpr vk::DeviceSize kWindow = vk::DeviceSize{256} << 20;
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const vk::MemoryType& type = memory.memoryTypes[i];
    if ((type.propertyFlags & kDirect) == kDirect &&
        memory.memoryHeaps[type.heapIndex].size > kWindow)
      return true;
  }
  return false;
}

}  // namespace glint
