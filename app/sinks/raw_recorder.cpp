#include "app/sinks/raw_recorder.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/capture/recorded_stamp.h"
#include "app/sinks/file_claim.h"
#include "app/sinks/video_writer.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr double kUsualRate = 25;  // frames a second, where times do not tell
constexpr double kHighestRate = 1000;

/// The file of one camera.
class RawFile {
 public:
  RawFile(const std::string& path, const ImageFormat& format)
      : path_(checked(path, format)), format_(format), claim_(path_) {}

  /// `set`: its number in the recording. `settings`: those that it was measured with.
  void write(SetIndex set, const RawShot& shot, const std::shared_ptr<const Settings>& settings) {
    if (!video_ && !first_) {  // the rate is known with the second
      first_ = {set, shot};
      settings_ = settings;
      return;
    }
    if (!video_) {
      const double interval = shot.stamp.time - first_->second.stamp.time;
      open(interval > 0 ? std::min(1 / interval, kHighestRate) : kUsualRate);
    }
    const bool same = settings == settings_ || *settings == *settings_;
    settings_ = settings;
    add(set, shot, same ? "" : tomlOf(*settings));
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
    VideoOptions options{.quality = {}, .nextTime = true};
    options.tags = {{kSettingsTag, tomlOf(*settings_)}};
    video_.emplace(path_, format_, rate, options);
    add(first_->first, first_->second, "");
    first_.reset();
  }

  void add(SetIndex set, const RawShot& shot, const std::string& changed) {
    const size_t pitch = size_t{format_.width} * format_.bytesPerPixel();
    video_->write({format_, shot.pixels->data(), pitch}, shot.stamp.time,
                  toBytes({.set = set, .stamp = shot.stamp}, changed));
  }

  static std::string tomlOf(const Settings& settings) {
    std::ostringstream text;
    writeToml(settings, text);
    return text.str();
  }

  std::string path_;
  ImageFormat format_;
  FileClaim claim_;
  std::optional<std::pair<SetIndex, RawShot>> first_;
  std::shared_ptr<const Settings> settings_;  // of the latest frame
  std::optional<VideoWriter> video_;
};

class RawRecorder final : public Sink {
 public:
  RawRecorder(const std::string& path, const std::vector<ImageFormat>& images,
              std::shared_ptr<const PreRoll> before, size_t mostWaiting)
      : path_(path), mostWaiting_(mostWaiting), before_(std::move(before)) {
    const std::vector<std::string> names = rawFiles(path, images.size());
    for (size_t i = 0; i < images.size(); ++i)
      files_.push_back(std::make_unique<RawFile>(names[i], images[i]));
    thread_ = std::thread([this] { work(); });
  }
  ~RawRecorder() override { end(); }

  bool wantsPixels() const override { return true; }
  void accept(const FramePtr& frame) override;
  void finish() override;
  uint64_t leftOut() const override { return lost_; }

 private:
  struct Item {
    SetIndex number;  ///< of the set in the recording
    RawSet set;
    size_t bytes;  ///< that it counts for among what waits
  };
  void begin(const Frame& frame);
  void put(RawSet set, size_t bytes);
  void work();
  void end();
  void rethrow();

  std::string path_;
  size_t mostWaiting_;
  std::shared_ptr<const PreRoll> before_;        ///< until the first frame
  std::vector<std::unique_ptr<RawFile>> files_;  ///< a camera each; the thread's until it has ended
  SetIndex sets_;                                ///< taken
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
void RawRecorder::begin(const Frame& frame) {
  const auto before = std::exchange(before_, nullptr);
  if (!before) return;
  for (const RawSet& set : before->sets())
    if (set.set < frame.set) put(set, 0);
}

void RawRecorder::put(RawSet set, size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({.number = sets_, .set = std::move(set), .bytes = bytes});
    waitingBytes_ += bytes;
    ++sets_;
  }
  changed_.notify_all();
}

void RawRecorder::accept(const FramePtr& frame) {
  if (!frame->hasPixels()) return;
  begin(*frame);
  const size_t bytes = rawBytes(*frame);
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
  put(copyRaw(*frame), bytes);
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
      for (const RawShot& shot : item.set.shots)
        files_[shot.camera]->write(item.number, shot, item.set.settings);
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
                                       path_, lost_, sets_.value() + lost_));
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

std::unique_ptr<Sink> makeRawRecorder(const std::string& path,
                                      const std::vector<ImageFormat>& images,
                                      std::shared_ptr<const PreRoll> before, size_t mostWaiting) {
  return std::make_unique<RawRecorder>(path, images, std::move(before), mostWaiting);
}

}  // namespace glint
