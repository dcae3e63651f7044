#include "app/output/pictures/raw_recorder.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "app/base/log.h"
#include "app/base/paths.h"
#include "app/base/waiting.h"
#include "app/capture/video/recorded_stamp.h"
#include "app/output/pictures/paced_video.h"
#include "config/settings.h"

namespace glint::output {
namespace {

/// A camera's frame on its way to the file.
struct Item {
  SetIndex set;  ///< number of the set in the recording
  RawShot shot;
  std::shared_ptr<const std::string> settings;  ///< settings in force, as TOML
  /// Bytes that count towards the limit of waiting frames.
  size_t bytes;
};

/// The file of one camera, and the thread that writes it.
class RawFile {
 public:
  /// `waitingBytes` counts the bytes of all files together.
  RawFile(const std::string& path, std::atomic<size_t>& waitingBytes)
      : path_(path),
        video_(path, VideoOptions{.quality = {}, .quick = true, .nextTime = true}),
        waitingBytes_(waitingBytes),
        thread_([this] { work(); }) {}
  ~RawFile() { end(); }
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  /// Queues a frame. Throws an earlier failure of the thread.
  void put(Item item);
  /// Ends the thread once all queued frames are written.
  void end();
  /// Completes the file. Call it after end(). Throws an earlier failure.
  void finish();

 private:
  void work();
  void write(const Item& item);
  void rethrow();

  std::string path_;
  /// Used by the thread until it has ended.
  PacedVideo video_;
  /// Settings of the last frame. Used by the thread.
  std::shared_ptr<const std::string> settings_;
  std::atomic<size_t>& waitingBytes_;
  std::deque<Item> waiting_;    // guarded by mutex_
  bool ending_ = false;         // guarded by mutex_
  std::exception_ptr failure_;  // guarded by mutex_ until the thread has ended
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

void RawFile::put(Item item) {
  {
    const std::lock_guard lock(mutex_);
    rethrow();
    waitingBytes_ += item.bytes;
    waiting_.push_back(std::move(item));
  }
  changed_.notify_all();
}

void RawFile::write(const Item& item) {
  const bool begun = video_.begun();
  const bool changed = begun && *item.settings != *settings_;
  settings_ = item.settings;
  if (!begun) {
    video_.options().tags = {{capture::kSettingsTag, *settings_}};
    if (item.shot.stills) video_.options().tags.emplace_back(capture::kStillsTag, "true");
  }
  const gpu::ImageFormat& format = item.shot.format;
  video_.write(
      {format, item.shot.pixels->data(), size_t{format.width} * format.bytesPerPixel()},
      item.shot.stamp.time,
      capture::toBytes({.set = item.set, .stamp = item.shot.stamp}, changed ? *settings_ : ""));
}

void RawFile::work() {
  std::unique_lock lock(mutex_);
  while (!failure_) {
    changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Item item = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      write(item);
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
    waitingBytes_ -= item.bytes;
    lock.lock();
    failure_ = failure;
  }
}

void RawFile::rethrow() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void RawFile::end() {
  const base::Waiting waiting("the rest of", path_);
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void RawFile::finish() {
  rethrow();
  video_.finish();
}

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
      files_.push_back(std::make_unique<RawFile>(file, waitingBytes_));
  }

  bool wantsPixels() const override { return true; }
  void accept(const motion::FramePtr& frame) override;
  void finish() override;
  uint64_t leftOut() const override { return lost_; }
  /// Queues the frames of a set. With `counts`, they count towards the limit of waiting frames;
  /// frames that are in memory anyway do not.
  void put(RawSet set, bool counts);

 private:
  void begin(const motion::Frame& frame);

  std::string path_;
  size_t mostWaiting_;
  /// Frames to be written before the first one; null afterwards.
  std::shared_ptr<const PreRoll> before_;
  /// The set of the session that is set 0 of the file.
  std::optional<SetIndex> zero_;
  uint64_t taken_ = 0, lost_ = 0;  ///< numbers of sets that were taken, and left out
  /// Settings of the last set, and their text.
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<const std::string> text_;
  std::atomic<size_t> waitingBytes_ = 0;
  std::vector<std::unique_ptr<RawFile>> files_;  ///< one for each camera
};

/// Begins the recording, and writes the frames that were kept from before its first frame. They are
/// in memory already, so they do not count towards the limit. Sets of recordings keep their
/// numbers.
void RawRecorder::begin(const motion::Frame& frame) {
  if (!zero_ && frame.session && !frame.session->live) zero_ = SetIndex();
  const auto before = std::exchange(before_, nullptr);
  if (!before) return;
  for (const RawSet& set : before->sets())
    if (set.index < frame.set) put(set, false);
}

void RawRecorder::put(RawSet set, bool counts) {
  if (!text_ || set.settings != settings_) {
    settings_ = set.settings;
    text_ = std::make_shared<const std::string>(tomlOf(settings_.get()));
  }
  if (!zero_) zero_ = set.index;
  const SetIndex number(set.index - *zero_);
  for (RawShot& shot : set.shots) {
    const size_t bytes = counts ? shot.pixels->size() : 0;
    files_[shot.camera]->put(
        {.set = number, .shot = std::move(shot), .settings = text_, .bytes = bytes});
  }
  ++taken_;
}

void RawRecorder::accept(const motion::FramePtr& frame) {
  if (!frame->hasPixels()) return;
  begin(*frame);
  const size_t waiting = waitingBytes_;
  if (waiting > 0 && waiting + rawBytes(*frame) > mostWaiting_) {
    if (lost_++ == 0)
      base::warn("'{}' cannot be written as fast as frames arrive: some are left out and counted",
                 path_);
    return;
  }
  put(copyRaw(*frame), true);
}

void RawRecorder::finish() {
  for (const auto& file : files_) file->end();
  if (lost_ > 0)
    base::warn(
        "'{}' is without {} of {} sets of frames, which came too "
        "fast: use a faster disk or processor",
        path_, lost_, taken_ + lost_);
  for (const auto& file : files_) file->finish();
}

}  // namespace

std::vector<std::string> rawFiles(const std::string& path, size_t cameras) {
  std::vector<std::string> files;
  for (size_t i = 0; i < cameras; ++i)
    files.push_back(
        base::cameraPath(path, static_cast<int>(i), static_cast<int>(cameras)).string());
  return files;
}

void checkRaw(const std::string& path, const std::vector<gpu::ImageFormat>& images) {
  if (!path.ends_with(".mkv"))
    throw UsageError("the raw recording '{}' needs a name that ends in .mkv", path);
  const std::vector<std::string> files = rawFiles(path, images.size());
  for (size_t i = 0; i < files.size(); ++i) checkVideo(files[i], images[i]);
}

std::unique_ptr<Sink> makeRawRecorder(const std::string& path, size_t cameras,
                                      std::shared_ptr<const PreRoll> before, size_t mostWaiting) {
  return std::make_unique<RawRecorder>(path, cameras, std::move(before), mostWaiting);
}

void saveRaw(const std::string& path, size_t cameras, std::vector<RawSet> sets) {
  RawRecorder recorder(path, cameras, nullptr, kMostWaiting);
  for (RawSet& set : sets) recorder.put(std::move(set), false);
  recorder.finish();
}

}  // namespace glint::output
