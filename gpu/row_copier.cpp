#include "gpu/row_copier.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace glint {
namespace {

constexpr size_t kPieceBytes = 128 << 10;  // copied by one thread before it looks for more
constexpr size_t kSharedBytes = 1 << 20;   // smaller images are there before a helper wakes
constexpr uint32_t kMostHelpers = 7;       // more hardly copy faster

uint32_t helpersBeside(const Device& device) {
  if (device.info().type == "cpu") return 0;
  return std::min(kMostHelpers, std::max(std::thread::hardware_concurrency() / 2, 1U) - 1);
}

/// An image that is being copied.
struct Job {
  const std::byte* from = nullptr;
  size_t pitch = 0, rowBytes = 0;
  uint32_t rowsAtOnce = 1;
  ImageView to;
  std::atomic<uint32_t> next{0};  // row that nobody copies yet

  void work() {
    const uint32_t rows = to.format.height;
    for (uint32_t y = next.fetch_add(rowsAtOnce); y < rows; y = next.fetch_add(rowsAtOnce)) {
      const uint32_t end = std::min(rows, y + rowsAtOnce);
      if (pitch == rowBytes && to.rowPitch == rowBytes) {
        std::memcpy(to.row(y), from + y * pitch, (end - y) * rowBytes);
        continue;
      }
      for (uint32_t row = y; row < end; ++row)
        std::memcpy(to.row(row), from + row * pitch, rowBytes);
    }
  }
};

}  // namespace

struct RowCopier::Shared {
  Job job;
  std::mutex mutex;
  std::condition_variable changed;
  // With the lock.
  uint64_t jobs = 0;  // that began
  uint32_t helping = 0;
  bool open = false;  // the last one takes helpers
  bool ending = false;
  std::vector<std::thread> helpers;

  void help() {
    std::unique_lock lock(mutex);
    for (uint64_t seen = 0;;) {
      changed.wait(lock, [&] { return ending || (open && jobs != seen); });
      if (ending) return;
      seen = jobs;
      ++helping;
      lock.unlock();
      job.work();
      lock.lock();
      if (--helping == 0) changed.notify_all();
    }
  }
};

RowCopier::RowCopier(const Device& device) : RowCopier(helpersBeside(device)) {}

RowCopier::RowCopier(uint32_t helpers) : shared_(std::make_unique<Shared>()) {
  for (uint32_t i = 0; i < helpers; ++i)
    shared_->helpers.emplace_back([shared = shared_.get()] { shared->help(); });
}

RowCopier::RowCopier(RowCopier&&) noexcept = default;

RowCopier::~RowCopier() {
  if (!shared_) return;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->ending = true;
  }
  shared_->changed.notify_all();
  for (std::thread& helper : shared_->helpers) helper.join();
}

void RowCopier::copy(const std::byte* from, size_t pitch, const ImageView& to) {
  Shared& s = *shared_;
  const size_t rowBytes = size_t{to.format.width} * to.format.bytesPerPixel();
  // Nobody else looks at the job: it is closed.
  s.job.from = from;
  s.job.pitch = pitch;
  s.job.rowBytes = rowBytes;
  s.job.rowsAtOnce = static_cast<uint32_t>(std::max<size_t>(1, kPieceBytes / rowBytes));
  s.job.to = to;
  s.job.next = 0;
  if (s.helpers.empty() || rowBytes * to.format.height < kSharedBytes) return s.job.work();
  {
    const std::lock_guard lock(s.mutex);
    ++s.jobs;
    s.open = true;
  }
  s.changed.notify_all();
  s.job.work();
  std::unique_lock lock(s.mutex);
  s.open = false;
  s.changed.wait(lock, [&] { return s.helping == 0; });
}

}  // namespace glint
