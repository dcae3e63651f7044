#include "gpu/kernel_cache.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>

#include <unistd.h>

namespace glint::gpu {
namespace {

// The header of a file. Damaged data may crash a driver, so the header has the length of the data
// and a checksum.
struct Header {
  char magic[8];
  uint64_t bytes;
  uint64_t sum;
};
constexpr char kMagic[8] = {'g', 'l', 'i', 'n', 't', 'k', 'c', '1'};
constexpr uint64_t kMostBytes = uint64_t{256} << 20;

/// Returns the checksum FNV-1a (Fowler, Noll and Vo) of the data.
uint64_t sumOf(std::span<const uint8_t> data) {
  uint64_t sum = 0xcbf29ce484222325;
  for (const uint8_t byte : data) sum = (sum ^ byte) * 0x100000001b3;
  return sum;
}

std::string hex(std::span<const uint8_t> bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

/// Returns the data of a file, or nothing if it does not exist or is damaged.
std::vector<uint8_t> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Header header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return {};
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.bytes > kMostBytes) return {};
  std::vector<uint8_t> data(header.bytes);
  if (!file.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(data.size())))
    return {};
  if (file.peek() != std::ifstream::traits_type::eof() || sumOf(data) != header.sum) return {};
  return data;
}

/// Writes data to a file. It writes under another name and renames the file afterwards, so that
/// nobody reads an incomplete file.
void write(const std::string& path, std::span<const uint8_t> data) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  const std::string part = path + "." + std::to_string(::getpid());
  {
    std::ofstream file(part, std::ios::binary);
    Header header{{}, data.size(), sumOf(data)};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(reinterpret_cast<const char*>(data.data()),
               static_cast<std::streamsize>(data.size()));
    file.close();
    if (file) fs::rename(part, path, error);
    if (file && !error) return;
  }
  fs::remove(part, error);
}

std::string pathFor(const vk::raii::PhysicalDevice& physical, const std::string& folder) {
  if (folder.empty()) return {};
  const auto ids =
      physical.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceIDProperties>()
          .get<vk::PhysicalDeviceIDProperties>();
  return folder + "/kernels-" + hex(ids.deviceUUID) + "-" + hex(ids.driverUUID);
}

}  // namespace

std::string userCacheFolder() {
  // The XDG Base Directory Specification says that relative paths must be ignored.
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/glint";
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache/glint";
  return {};
}

KernelCache::KernelCache(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                         const std::string& folder)
    : path_(pathFor(physical, folder)) {
  if (!path_.empty()) kept_ = read(path_);
  try {
    cache_ = {device, vk::PipelineCacheCreateInfo{.initialDataSize = kept_.size(),
                                                  .pInitialData = kept_.data()}};
  } catch (const vk::SystemError&) {
    kept_.clear();
    cache_ = {device, vk::PipelineCacheCreateInfo{}};
  }
}

KernelCache::~KernelCache() {
  if (path_.empty()) return;
  try {
    const auto data = cache_.getData();
    if (data != kept_) write(path_, data);
  } catch (const std::exception&) {
    // Without the file, the next run compiles the kernels again.
  }
}

}  // namespace glint::gpu
