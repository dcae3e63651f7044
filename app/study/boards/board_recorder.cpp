#include "app/study/boards/board_recorder.h"

#include <utility>

#include "app/motion/calibrate/board_finder.h"

namespace glint::study {

BoardRecorder::~BoardRecorder() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void BoardRecorder::begin(motion::Board board, std::map<size_t, double> offsets) {
  const std::lock_guard lock(mutex_);
  running_ = true;
  ++recording_;
  board_ = std::move(board);
  offsets_ = std::move(offsets);
  views_.reset();
  seen_ = {};
  sets_.clear();
  waiting_.reset();
}

void BoardRecorder::stop() {
  const std::lock_guard lock(mutex_);
  running_ = false;
}

bool BoardRecorder::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

/// Tells `views_` the time of every frame, even if the board is not looked for in it.
std::optional<BoardRecorder::Work> BoardRecorder::workOf(const motion::Frame& frame) {
  if (!running_ || !frame.session || !frame.hasPixels() || !sets_.insert(frame.set).second)
    return std::nullopt;
  std::vector<motion::FrameExtent> sizes;
  for (const gpu::ImageFormat& image : frame.session->images)
    sizes.push_back({static_cast<int>(image.width), static_cast<int>(image.height)});
  if (!views_) views_.emplace(board_, sizes, offsets_);
  seen_.cameras.resize(sizes.size());
  bool due = false;
  for (size_t c = 0; c < frame.cameras.size(); ++c)
    if (const auto& stamp = frame.cameras[c].measured.stamp)
      due = views_->due(c, stamp->time) || due;
  if (!due || busy_ || waiting_) return std::nullopt;
  Work work{recording_, {}};
  for (size_t c = 0; c < frame.cameras.size(); ++c) {
    const motion::CameraFrame& camera = frame.cameras[c];
    if (camera.pixels && camera.measured.stamp)
      work.shots.push_back({c, sizes[c], camera.measured.stamp->time, greyPixels(camera.image())});
  }
  return work;
}

void BoardRecorder::accept(const motion::FramePtr& frame) {
  std::optional<Work> found;
  {
    const std::lock_guard lock(mutex_);
    found = workOf(*frame);
    if (found && frame->session->live) {
      if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
      waiting_ = std::exchange(found, std::nullopt);
    }
  }
  changed_.notify_all();
  if (found) searchForBoard(*found);
}

void BoardRecorder::searchForBoard(const Work& work) {
  std::vector<motion::BoardView> views;
  const motion::Board board = [&] {
    const std::lock_guard lock(mutex_);
    return board_;
  }();
  for (const Shot& shot : work.shots)
    views.push_back(motion::findBoard(board, shot.size, shot.grey.data()));
  const std::lock_guard lock(mutex_);
  if (work.recording != recording_) return;
  size_t cameras = 0;
  for (size_t i = 0; i < views.size(); ++i) {
    const Shot& shot = work.shots[i];
    motion::TargetSeen::Camera& seen = seen_.cameras[shot.camera];
    for (const Eigen::Vector2d& at : views[i].corners[0]) seen.mark(at, shot.size);
    cameras += views[i].seen();
    seen.seen += views[i].seen();
    views_->add(shot.camera, shot.time, std::move(views[i]), shot.grey);
  }
  ++seen_.frames;
  seen_.shared += cameras > 1;
}

void BoardRecorder::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ending_ || waiting_; });
    if (ending_) return;
    const Work work = *std::exchange(waiting_, std::nullopt);
    busy_ = true;
    lock.unlock();
    searchForBoard(work);
    lock.lock();
    busy_ = false;
  }
}

motion::TargetSeen BoardRecorder::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

std::optional<motion::BoardViews> BoardRecorder::views() const {
  const std::lock_guard lock(mutex_);
  return views_;
}

}  // namespace glint::study
