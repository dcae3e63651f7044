// The driver's compiled kernels are kept between runs, and never cause a failure.
#include "gpu/kernel_cache.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "gpu/device.h"
#include "gpu/kernel.h"
#include "spirv/invert.h"

namespace glint {
namespace {

namespace fs = std::filesystem;

class KernelCaches : public testing::Test {
 protected:
  KernelCaches() {
    folder_ = fs::temp_directory_path() / ("glint-cache-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
  }
  ~KernelCaches() override { fs::remove_all(folder_); }

  /// Makes a device that compiles a kernel. Returns the place of its cache.
  std::string use(const std::string& folder) const {
    const char* name = std::getenv("GLINT_TEST_DEVICE");
    const gpu::Device device(
        {.name = name != nullptr ? name : "", .validation = false, .cacheFolder = folder});
    const gpu::Kernel kernel(device, "invert", invert_spirv, {{8U}});
    EXPECT_NE(kernel.pipeline(), vk::Pipeline());
    return device.kernelCache().path();
  }

  static std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static void put(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  fs::path folder_;
};

TEST_F(KernelCaches, AFileForEachDeviceIsMadeAndReadAgain) {
  const std::string path = use(folder_ / "deep");
  const std::string first = contents(path);
  ASSERT_GT(first.size(), 24U) << "a header and what the driver says";
  EXPECT_EQ(use(folder_ / "deep"), path);
  EXPECT_EQ(contents(path), first) << "nothing new";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "deep"), {}), 1) << "no part is left";
}

TEST_F(KernelCaches, ADamagedFileIsMadeAnew) {
  const std::string path = use(folder_);
  const std::string whole = contents(path);
  ASSERT_GT(whole.size(), 24U);
  std::vector<std::string> damaged{"",
                                   "x",
                                   whole.substr(0, 23),
                                   whole.substr(0, whole.size() - 1),
                                   whole + "x",
                                   std::string(whole.size(), '\0')};
  for (const size_t at : {size_t{0}, size_t{8}, size_t{15}, size_t{16}, whole.size() - 1}) {
    damaged.push_back(whole);
    damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 0x40);
  }
  for (size_t i = 0; i < damaged.size(); ++i) {
    SCOPED_TRACE(i);
    put(path, damaged[i]);
    EXPECT_EQ(use(folder_), path);
    EXPECT_EQ(contents(path), whole);
  }
}

TEST_F(KernelCaches, AFolderThatCannotBeWrittenIsNoFailure) {
  fs::create_directories(folder_);
  put(folder_ / "file", "in the way");
  use(folder_ / "file");
  use("/proc/nowhere");
  EXPECT_EQ(contents(folder_ / "file"), "in the way");
  EXPECT_EQ(use(""), "") << "nothing is kept";
}

TEST_F(KernelCaches, FolderOfTheUser) {
  const auto folder = [](const char* cache, const char* home) {
    const auto set = [](const char* name, const char* value) {
      value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
    };
    const char *cacheBefore = std::getenv("XDG_CACHE_HOME"), *homeBefore = std::getenv("HOME");
    const std::string keepCache = cacheBefore != nullptr ? cacheBefore : "";
    const std::string keepHome = homeBefore != nullptr ? homeBefore : "";
    set("XDG_CACHE_HOME", cache);
    set("HOME", home);
    const std::string answer = gpu::userCacheFolder();
    set("XDG_CACHE_HOME", cacheBefore != nullptr ? keepCache.c_str() : nullptr);
    set("HOME", homeBefore != nullptr ? keepHome.c_str() : nullptr);
    return answer;
  };
  EXPECT_EQ(folder("/a/b", "/home/c"), "/a/b/glint");
  EXPECT_EQ(folder(nullptr, "/home/c"), "/home/c/.cache/glint");
  EXPECT_EQ(folder("relative", "/home/c"), "/home/c/.cache/glint");
  EXPECT_EQ(folder("", "/home/c"), "/home/c/.cache/glint");
  EXPECT_EQ(folder(nullptr, nullptr), "");
}

}  // namespace
}  // namespace glint
