#include "app/sinks/raw_recorder.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/base/paths.h"
#include "app/capture/libav.h"
#include "app/capture/recorded_stamp.h"
#include "app/sinks/paced_video.h"
#include "config/settings.h"

namespace glint {
namespace {

/// The file of one camera.
class RawFile {
 public:
  explicit RawFile(const std::string& path)
      : video_(path, VideoOptions{.quality = {}, .nextTime = true}) {}

  /// `set`: its number in the recording. `settings`: in force, as TOML.
  void write(SetIndex set, const RawShot& shot, const std::string& settings) {
    const bool changed = video_.begun() && settings != settings_;
    if (!video_.begun()) video_.options().tags = {{kSettingsTag, settings}};
    settings_ = settings;
    const size_t pitch = size_t{shot.format.width} * shot.format.bytesPerPixel();
    video_.write({shot.format, shot.pixels->data(), pitch}, shot.stamp.time,
                 toBytes({.set = set, .stamp = shot.stamp}, changed ? settings : ""));
  }

  void finish() { video_.finish(); }

 private:
  PacedVideo video_;
  std::string settings_;  ///< of the last frame
};

std::string tomlOf(const Settings* settings) {
  std::ostringstream text;
  if (settings) writeToml(*settings, text);
  return text.str();
}

class RawRecorder final : public Sink {
 public:
  RawRecorder(const std::string& path, size_t cameras, std::shared_ptr<const PreRoll> before,
              size_t mostWaiting)
      : path_(path), mostWaiting_(mostWaiting), before_(std::move(before)) {
    for (const std::string& file : rawFiles(path, cameras))
      files_.push_back(std::make_unique<RawFile>(file));
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
    if (set.index < frame.set) put(set, 0);
}

void RawRecorder::put(RawSet set, size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({.number = sets_, .set = std::move(set), .bytes = bytes});
    ++sets_;
    waitingBytes_ += bytes;
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
  std::shared_ptr<const Settings> settings;  // in force, and their text
  std::string text;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Item item = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      if (item.set.settings != settings) {
        settings = item.set.settings;
        text = tomlOf(settings.get());
      }
      for (const RawShot& shot : item.set.shots)
        files_[shot.camera]->write(item.number, shot, text);
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
  std::vector<std::string> files;
  for (size_t i = 0; i < cameras; ++i)
    files.push_back(cameraPath(path, static_cast<int>(i), static_cast<int>(cameras)).string());
  return files;
}

void checkRaw(const std::string& path, const std::vector<ImageFormat>& images) {
  if (!path.ends_with(".mkv"))
    throw UsageError(fmt::format("'{}' is no name for a raw recording: it must end in .mkv", path));
  const std::vector<std::string> files = rawFiles(path, images.size());
  for (size_t i = 0; i < files.size(); ++i) checkVideo(files[i], images[i]);
}

std::unique_ptr<Sink> makeRawRecorder(const std::string& path, size_t cameras,
                                      std::shared_ptr<const PreRoll> before, size_t mostWaiting) {
  return std::make_unique<RawRecorder>(path, cameras, std::move(before), mostWaiting);
}

}  // namespace glint
