// Mesa's llvmpipe allows a fence to be freed while one of its threads is still leaving it
// (docs/gpu.md). This test delays that thread there, and watches what is freed meanwhile. Nothing
// that Glint records may cause it.
#include <atomic>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <pthread.h>

#include "gpu/recorder.h"

namespace {

using std::chrono::milliseconds;

std::atomic<bool> armed = false;  // true while a thread of llvmpipe is held up in fences
// The fence that a thread has counted and not left.
std::atomic<const std::byte*> inside = nullptr;
// Number of the present stay in a fence, and of the last one that may end.
std::atomic<uint32_t> stay = 0, letGo = 0;
std::atomic<uint32_t> freedInside = 0;  // number of fences that were freed with a thread inside

/// Returns true for the second of llvmpipe's threads for scenes. On most machines there are two or
/// more.
bool isHeldUp() {
  thread_local const bool is = [] {
    char name[16] = "";
    ::pthread_getname_np(::pthread_self(), name, sizeof name);
    return std::string_view(name) == "llvmpipe-1";
  }();
  return is && armed;
}

}  // namespace

// Both functions replace those of the C library, also for the driver.
extern "C" {

void __libc_free(void* block);  // NOLINT: glibc's name

void free(void* block) noexcept {
  const auto* const from = static_cast<const std::byte*>(block);
  const std::byte* const fence = inside;
  if (fence != nullptr && from <= fence && fence < from + ::malloc_usable_size(block)) {
    ++freedInside;  // the block is not freed, since it is still used
    return;
  }
  __libc_free(block);
}

int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  static const auto real =
      reinterpret_cast<int (*)(pthread_cond_t*)>(::dlsym(RTLD_NEXT, "pthread_cond_broadcast"));
  if (!isHeldUp()) return real(condition);
  const uint32_t own = ++stay;
  inside = reinterpret_cast<const std::byte*>(condition);
  for (int i = 0; i < 2000 && letGo < own; ++i) std::this_thread::sleep_for(milliseconds(1));
  inside = nullptr;
  return real(condition);
}

}  // extern "C"

namespace glint {
namespace {

/// Waits until the device has finished a submission. Its thread may then still be delayed in the
/// last fence, while it is released from earlier ones.
void untilDone(const gpu::Timeline& timeline, uint64_t value) {
  for (;;) {
    const uint32_t seen = stay;
    if (timeline.semaphore.getCounterValue() >= value) return;
    letGo = seen;
    std::this_thread::sleep_for(milliseconds(1));
  }
}

TEST(Fences, AreNotFreedWhileTheDriverStillLeavesThem) {
  const gpu::Device device({.name = "", .cacheFolder = ""});
  if (device.info().name.find("llvmpipe") == std::string::npos)
    GTEST_SKIP() << "the device is not llvmpipe";
  const gpu::Buffer buffer(device, 64, gpu::MemoryUse::device, "cleared");
  std::optional<gpu::Recorder> recorder;
  uint32_t heldUp = 0;
  armed = true;
  for (int round = 0; round < 30; ++round) {
    if (round % 3 == 0)
      recorder.emplace(device, round % 2 == 0 ? gpu::Timing::whole : gpu::Timing::passes);
    const uint64_t value = recorder->nextValue();
    recorder->begin();
    recorder->clear(buffer);
    recorder->submit();
    // The submission is executed while the thread is delayed in a fence of the previous one.
    if (inside != nullptr) std::this_thread::sleep_for(milliseconds(20));
    untilDone(*recorder->timeline(), value);
    heldUp += inside != nullptr ? 1 : 0;
    recorder->wait();
  }
  armed = false;
  letGo = ~0U;
  if (heldUp == 0) GTEST_SKIP() << "llvmpipe has one thread only";
  EXPECT_EQ(freedInside, 0U) << "of " << heldUp << " fences";
}

}  // namespace
}  // namespace glint
