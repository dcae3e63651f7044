#include "app/export/raw_recorder.h"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/capture/recorded_stamp.h"
#include "app/export/file_claim.h"
#include "app/export/video_writer.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr double kUsualRate = 25;  // frames a second, where times do not tell
constexpr double kHighestRate = 1000;

/// The file of one camera.
class RawFile {
 public:
  RawFile(const std::string& path, const ImageFormat& format, const std::string& settings)
      : path_(checked(path, format)), format_(format), claim_(path_) {
    options_.nextTime = true;
    options_.tags = {{kSettingsTag, settings}};
  }

  /// `set`: its number in the recording.
  void write(uint64_t set, const RawShot& shot) {
    if (!video_ && !first_) {  // the rate is known with the second
      first_ = {set, shot};
      return;
    }
    if (!video_) {
      const double interval = shot.stamp.time - first_->second.stamp.time;
      open(interval > 0 ? std::min(1 / interval, kHighestRate) : kUsualRate);
    }
    add(set, shot);
  }

  void finish() {
    if (first_ && !video_) open(kUsualRate);
    if (!video_) return;
    video_->finish();
    claim_.confirm();
  }

 private:
  static const std::string& checked(const std::string& path, const ImageFormat& format) {
    if (!path.ends_with(".mkv"))
      throw UsageError(
          fmt::format("'{}' is no name for a raw recording: it must end in .mkv", path));
    checkVideo(path, format);
    return path;
  }

  void open(double rate) {
    claim_.keep();
    video_.emplace(path_, format_, rate, options_);
    add(first_->first, first_->second);
    first_.reset();
  }

  void add(uint64_t set, const RawShot& shot) {
    const size_t pitch = size_t{format_.width} * format_.bytesPerPixel();
    video_->write({format_, shot.pixels->data(), pitch}, shot.stamp.time,
                  toBytes({.set = set, .stamp = shot.stamp}));
  }

  std::string path_;
  ImageFormat format_;
  FileClaim claim_;
  VideoOptions options_;
  std::optional<std::pair<uint64_t, RawShot>> first_;
  std::optional<VideoWriter> video_;
};

class RawRecorder final : public Exporter {
 public:
  RawRecorder(const std::string& path, const std::vector<ImageFormat>& images,
              const std::string& settings, std::shared_ptr<const PreRoll> before,
              size_t mostWaiting)
      : path_(path), mostWaiting_(mostWaiting), before_(std::move(before)) {
    const std::vector<std::string> names = rawFiles(path, images.size());
    for (size_t i = 0; i < images.size(); ++i)
      files_.push_back(std::make_unique<RawFile>(names[i], images[i], settings));
    thread_ = std::thread([this] { work(); });
  }
  ~RawRecorder() override { end(); }

  bool wantsPixels() const override { return true; }
  void write(const SessionFrame& frame) override;
  void finish() override;
  uint64_t leftOut() const override { return lost_; }

 private:
  struct Item {
    uint64_t number;  ///< of the set in the recording
    RawSet set;
    size_t bytes;  ///< that it counts for among what waits
  };
  void begin(const SessionFrame& frame);
  void put(RawSet set, size_t bytes);
  void work();
  void end();
  void rethrow();

  std::string path_;
  size_t mostWaiting_;
  std::shared_ptr<const PreRoll> before_;        ///< until the first frame
  std::vector<std::unique_ptr<RawFile>> files_;  ///< a camera each; the thread's until it has ended
  uint64_t sets_ = 0;                            ///< taken
  uint64_t lost_ = 0;                            ///< sets that were left out
  // All below with the lock.
  std::deque<Item> waiting_;
  size_t waitingBytes_ = 0;
  bool ending_ = false;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

/// What was kept from before the first frame of the recording. It is in memory already, so it
/// counts for nothing.
void RawRecorder::begin(const SessionFrame& frame) {
  const auto before = std::exchange(before_, nullptr);
  if (!before) return;
  for (const RawSet& set : before->sets())
    if (set.index < frame.index) put(set, 0);
}

void RawRecorder::put(RawSet set, size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({.number = sets_++, .set = std::move(set), .bytes = bytes});
    waitingBytes_ += bytes;
  }
  changed_.notify_all();
}

void RawRecorder::write(const SessionFrame& frame) {
  if (!frame.hasPixels()) return;
  begin(frame);
  const size_t bytes = rawBytes(frame);
  bool full = false;
  {
    const std::lock_guard lock(mutex_);
    rethrow();
    full = waitingBytes_ > 0 && waitingBytes_ + bytes > mostWaiting_;
  }
  if (full) {
    if (lost_++ == 0)
      log(LogLevel::warning,
          fmt::format("'{}' cannot be written as fast as frames come: some are left out of it, and "
                      "counted",
                      path_));
    return;
  }
  put(copyRaw(frame), bytes);
}

void RawRecorder::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Item item = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      for (const RawShot& shot : item.set.shots) files_[shot.camera]->write(item.number, shot);
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
    lock.lock();
    waitingBytes_ -= item.bytes;
    if (!failure) continue;
    failure_ = failure;
    waiting_.clear();
    return;
  }
}

/// With the lock, or once the thread has ended.
void RawRecorder::rethrow() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// Waits until all is written.
void RawRecorder::end() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void RawRecorder::finish() {
  end();
  if (lost_ > 0)
    log(LogLevel::warning, fmt::format("'{}' is without {} of {} sets of frames, for which there "
                                       "was no time: a faster disk or processor would keep them",
                                       path_, lost_, sets_ + lost_));
  rethrow();
  for (const auto& file : files_) file->finish();
}

}  // namespace

size_t mostWaitingRaw() {
  constexpr size_t kMost = size_t{1} << 20, kMega = size_t{1} << 20;
  const char* text = std::getenv("GLINT_RECORD_MEMORY");
  const std::string_view wish = text ? text : "";
  size_t megabytes = 0;
  const auto [rest, error] = std::from_chars(wish.data(), wish.data() + wish.size(), megabytes);
  const bool right = error == std::errc() && rest == wish.data() + wish.size() && megabytes > 0;
  return right ? std::min(megabytes, kMost) * kMega : kMostWaiting;
}

std::vector<std::string> rawFiles(const std::string& path, size_t cameras) {
  if (cameras == 1) return {path};
  const std::filesystem::path whole(path);
  std::vector<std::string> files;
  for (size_t i = 0; i < cameras; ++i) {
    const std::string name =
        fmt::format("{}_cam{}{}", whole.stem().string(), i, whole.extension().string());
    files.push_back((whole.parent_path() / name).string());
  }
  return files;
}

std::unique_ptr<Exporter> makeRawRecorder(const std::string& path,
                                          const std::vector<ImageFormat>& images,
                                          const std::string& settings,
                                          std::shared_ptr<const PreRoll> before,
                                          size_t mostWaiting) {
  return std::make_unique<RawRecorder>(path, images, settings, std::move(before), mostWaiting);
}

}  // namespace glint
