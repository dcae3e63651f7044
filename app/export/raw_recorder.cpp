#include "app/export/raw_recorder.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
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

/// A frame of a camera in memory of its own, its rows without gaps.
struct Shot {
  size_t camera = 0;
  RecordedStamp recorded;
  std::vector<std::byte> pixels;
};
using Set = std::vector<Shot>;

/// The file of one camera.
class RawFile {
 public:
  RawFile(const std::string& path, const ImageFormat& format, const std::string& settings)
      : path_(checked(path, format)), format_(format), claim_(path_) {
    options_.nextTime = true;
    options_.tags = {{kSettingsTag, settings}};
  }

  void write(Shot shot) {
    if (!video_ && !first_) {  // the rate is known with the second
      first_ = std::move(shot);
      return;
    }
    if (!video_) {
      const double interval = shot.recorded.stamp.time - first_->recorded.stamp.time;
      open(interval > 0 ? std::min(1 / interval, kHighestRate) : kUsualRate);
    }
    add(shot);
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
    add(*first_);
    first_.reset();
  }

  void add(Shot& shot) {
    const size_t pitch = size_t{format_.width} * format_.bytesPerPixel();
    video_->write({format_, shot.pixels.data(), pitch}, shot.recorded.stamp.time,
                  toBytes(shot.recorded));
  }

  std::string path_;
  ImageFormat format_;
  FileClaim claim_;
  VideoOptions options_;
  std::optional<Shot> first_;
  std::optional<VideoWriter> video_;
};

class RawRecorder final : public Exporter {
 public:
  RawRecorder(const std::string& path, const std::vector<ImageFormat>& images,
              const std::string& settings, size_t mostWaiting)
      : path_(path), mostWaiting_(mostWaiting) {
    const std::vector<std::string> names = rawFiles(path, images.size());
    for (size_t i = 0; i < images.size(); ++i)
      files_.push_back(std::make_unique<RawFile>(names[i], images[i], settings));
    thread_ = std::thread([this] { work(); });
  }
  ~RawRecorder() override { end(); }

  bool wantsPixels() const override { return true; }
  void write(const SessionFrame& frame) override;
  void finish() override;

 private:
  static size_t bytesOf(const SessionFrame& frame);
  Set copy(const SessionFrame& frame) const;
  void work();
  void end();
  void rethrow();

  std::string path_;
  size_t mostWaiting_;
  std::vector<std::unique_ptr<RawFile>> files_;  ///< a camera each; the thread's until it has ended
  uint64_t sets_ = 0;                            ///< taken
  uint64_t lost_ = 0;                            ///< sets that were left out
  // All below with the lock.
  std::deque<Set> waiting_;
  size_t waitingBytes_ = 0;
  bool ending_ = false;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

size_t RawRecorder::bytesOf(const SessionFrame& frame) {
  size_t bytes = 0;
  for (const CameraFrame& camera : frame.cameras) {
    if (!camera.pixels) continue;
    const ImageFormat& format = camera.image().format;
    bytes += format.pixels() * format.bytesPerPixel();
  }
  return bytes;
}

Set RawRecorder::copy(const SessionFrame& frame) const {
  Set set;
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    const CameraFrame& camera = frame.cameras[i];
    if (!camera.pixels || !camera.measured.stamp) continue;
    const ImageView image = camera.image();
    const size_t pitch = size_t{image.format.width} * image.format.bytesPerPixel();
    Shot shot{
        .camera = i, .recorded = {.set = sets_, .stamp = *camera.measured.stamp}, .pixels = {}};
    shot.pixels.resize(pitch * image.format.height);
    for (uint32_t y = 0; y < image.format.height; ++y)
      std::memcpy(shot.pixels.data() + pitch * y, image.row(y), pitch);
    set.push_back(std::move(shot));
  }
  return set;
}

void RawRecorder::write(const SessionFrame& frame) {
  if (!frame.hasPixels()) return;
  const size_t bytes = bytesOf(frame);
  bool full = false;
  {
    const std::lock_guard lock(mutex_);
    rethrow();
    full = !waiting_.empty() && waitingBytes_ + bytes > mostWaiting_;
    if (!full) waitingBytes_ += bytes;
  }
  if (full) {
    if (lost_++ == 0)
      log(LogLevel::warning,
          fmt::format("'{}' cannot be written as fast as frames come: some are left out of it, and "
                      "counted",
                      path_));
    return;
  }
  Set set = copy(frame);
  ++sets_;
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(set));
  }
  changed_.notify_all();
}

void RawRecorder::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Set set = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    size_t bytes = 0;
    std::exception_ptr failure;
    try {
      for (Shot& shot : set) {
        bytes += shot.pixels.size();
        files_[shot.camera]->write(std::move(shot));
      }
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
    lock.lock();
    waitingBytes_ -= bytes;
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
  if (const uint64_t lost = std::exchange(lost_, 0); lost > 0)
    log(LogLevel::warning, fmt::format("'{}' is without {} of {} sets of frames, for which there "
                                       "was no time: a faster disk or processor would keep them",
                                       path_, lost, sets_ + lost));
  rethrow();
  for (const auto& file : files_) file->finish();
}

}  // namespace

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
                                          const std::string& settings, size_t mostWaiting) {
  return std::make_unique<RawRecorder>(path, images, settings, mostWaiting);
}

}  // namespace glint
