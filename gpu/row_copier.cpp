#include "gpu/row_copier.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "gpu/workers.h"

namespace glint::gpu {
namespace {

constexpr size_t kPieceBytes = 64 << 10;  // bytes that a thread copies before it takes more rows
constexpr size_t kSharedBytes = 1 << 20;  // smaller images are copied before a helper wakes up
constexpr uint32_t kMostHelpers = 7;      // more helpers are hardly faster

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
  std::atomic<uint32_t> next{0};           // first row that no thread has taken yet
  std::vector<std::atomic<bool>> written;  // true for copied pieces of `rowsAtOnce` rows

  void begin(const std::byte* image, size_t rowPitch, const ImageView& copy) {
    from = image;
    pitch = rowPitch;
    rowBytes = size_t{copy.format.width} * copy.format.bytesPerPixel();
    rowsAtOnce = static_cast<uint32_t>(std::max<size_t>(1, kPieceBytes / rowBytes));
    to = copy;
    next = 0;
    const size_t pieces = copy.format.height / rowsAtOnce + 1;
    if (written.size() < pieces) written = std::vector<std::atomic<bool>>(pieces);
    for (auto& piece : written) piece.store(false, std::memory_order_relaxed);
  }

  /// Copies pieces that no other thread has taken, and calls `afterEach` after each.
  template <class AfterEach>
  void work(const AfterEach& afterEach) {
    const uint32_t rows = to.format.height;
    for (uint32_t y = next.fetch_add(rowsAtOnce); y < rows; y = next.fetch_add(rowsAtOnce)) {
      copyRows(y, std::min(rows, y + rowsAtOnce));
      written[y / rowsAtOnce].store(true, std::memory_order_release);
      afterEach();
    }
  }

  /// Returns how many of the first rows are copied. `before` is an earlier result.
  uint32_t rowsWritten(uint32_t before) const {
    const uint32_t rows = to.format.height;
    while (before < rows && written[before / rowsAtOnce].load(std::memory_order_acquire))
      before = std::min(rows, before + rowsAtOnce);
    return before;
  }

 private:
  void copyRows(uint32_t y, uint32_t end) {
    if (pitch == rowBytes && to.rowPitch == rowBytes) {
      std::memcpy(to.row(y), from + y * pitch, (end - y) * rowBytes);
      return;
    }
    for (; y < end; ++y) std::memcpy(to.row(y), from + y * pitch, rowBytes);
  }
};

}  // namespace

/// The state that the caller and its helpers share. It has no lock, for which helpers that wake up
/// together would have to queue.
struct RowCopier::Shared {
  static constexpr uint32_t kClosed = 1U << 31;
  static constexpr std::chrono::microseconds kMostSpin{50};

  Job job;
  std::atomic<uint32_t> jobs{0};  // number of jobs that have begun
  // Number of helpers in the present job. The bit kClosed means that no more helpers may join.
  std::atomic<uint32_t> helping{kClosed};
  std::atomic<bool> ending{false};
  Workers helpers{[this] {
    ending = true;
    ++jobs;
    jobs.notify_all();
  }};  // last: they use the others

  void help() {
    for (uint32_t seen = 0;;) {
      jobs.wait(seen);
      seen = jobs;
      if (ending) return;
      if (!join()) continue;
      job.work([] {});
      if (--helping == kClosed) helping.notify_one();
    }
  }

  /// Joins the present job. Returns false if it is closed.
  bool join() {
    uint32_t others = helping;
    while ((others & kClosed) == 0)
      if (helping.compare_exchange_weak(others, others + 1)) return true;
    return false;
  }

  /// Opens the job and wakes the helpers.
  void share() {
    helping = 0;
    ++jobs;
    jobs.notify_all();
  }

  /// Closes the job and waits for its helpers. It spins at first, because they are about to finish
  /// and sleeping would take longer.
  void close() {
    using Clock = std::chrono::steady_clock;
    helping |= kClosed;
    for (const auto until = Clock::now() + kMostSpin; helping != kClosed && Clock::now() < until;)
      std::this_thread::yield();
    for (uint32_t left = helping; left != kClosed; left = helping) helping.wait(left);
  }
};

RowCopier::RowCopier(const Device& device) : RowCopier(helpersBeside(device)) {}

RowCopier::RowCopier(uint32_t helpers) : shared_(std::make_unique<Shared>()) {
  shared_->helpers.start(helpers, [shared = shared_.get()](size_t) { shared->help(); });
}

RowCopier::RowCopier(RowCopier&&) noexcept = default;

RowCopier::~RowCopier() = default;

void RowCopier::copy(const std::byte* from, size_t pitch, const ImageView& to,
                     const std::function<void(uint32_t rows)>& written) {
  Shared& s = *shared_;
  s.job.begin(from, pitch, to);  // no helper uses the job, because it is closed
  uint32_t rows = 0;
  const auto report = [&] {
    if (!written) return;
    const uint32_t now = s.job.rowsWritten(rows);
    if (now != rows) written(rows = now);
  };
  if (s.helpers.empty() || s.job.rowBytes * to.format.height < kSharedBytes)
    return s.job.work(report);
  s.share();
  s.job.work(report);
  s.close();
  report();
}

}  // namespace glint::gpu
