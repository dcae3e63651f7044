// How a session makes a frame of a set, and hands it on.
#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "app/frame/glance.h"
#include "app/frame/threshold_doubt.h"
#include "app/session/run.h"
#include "config/error.h"

namespace glint {
namespace {

double secondsOf(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

}  // namespace

/// What it throws is told as the device's, where that is not lost.
void SessionRun::onDevice(auto&& action) {
  try {
    action();
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(fmt::format("the device '{}' failed: {}", device_->info().name, error.what()));
  }
}

/// The set goes to the device: all that its feedback needs is known.
void SessionRun::begin(FrameSet set, std::optional<Clock::time_point> due) {
  const auto start = Clock::now();
  onDevice([&] {
    if (options_.stills) unseen_ = true;
    expectFirstFrames(set);
    const auto& expectations = tracking_.trackers().expectations();
    const bool drawn =
        !looked_ && (!options_.wantsPlanes || !playback_.playing() || options_.wantsPlanes());
    detectors_.submit(set, expectations, drawn);
    begun_ = Begun{std::move(set), start, due, expectations};
  });
}

/// The device begins on the next set, if that is there and nobody wants anything else, while the
/// present frame is served.
void SessionRun::beginNext() {
  if (!playback_.playing() || !commands_.empty() || pending_ || interrupt_.isSet()) return;
  if (options_.maxFrames && result_.counts.frames >= *options_.maxFrames) return;
  if (options_.enough || tracking_.canBeWhole(following_)) return;
  if (!next_) {
    FrameSet set;
    if (feeds_->next(set, std::chrono::milliseconds(0)) != Feeds::Outcome::set) return;
    next_ = std::move(set);
  }
  if (!feeds_->live() && playback_.beyond(next_->set)) return;
  const auto due = dueOf(*next_);
  if (!due || *due <= Clock::now()) begin(*std::exchange(next_, std::nullopt), due);
}

std::shared_ptr<Frame> SessionRun::frameOf(const Begun& begun, Detectors::Result result) {
  auto frame = std::make_shared<Frame>();
  frame->set = begun.set.set;
  frame->epoch = epoch_;
  frame->pass = pass_;
  frame->settings = settings_;
  frame->session = info_;
  for (size_t i = 0; i < result.cameras.size(); ++i) {
    CameraFrame& camera = frame->cameras.emplace_back();
    camera.measured = std::move(result.cameras[i]);
    if (options_.stay) camera.predicted = begun.expectations[i].predictions;
  }
  if (!result.times.empty()) deviceTimes_ = std::move(result.times);
  if (&begun == &onShow()) planes_ = std::move(result.planes);
  return frame;
}

/// Waits for the set that the device works on. The next one begins once its feedback is known,
/// before anybody is served.
void SessionRun::complete() {
  Begun before = std::exchange(measured_, *std::exchange(begun_, std::nullopt));
  if (measured_.due) spent_ = std::move(before.set);
  Detectors::Result result;
  const auto start = Clock::now();
  onDevice([&] { result = detectors_.collect(); });
  result_.wallTimes["wait"].add(microsecondsSince(start));
  addDeviceTimes(result.times);
  const std::shared_ptr<Frame> frame = frameOf(measured_, std::move(result));
  if (measured_.due) frame->due = secondsOf(*measured_.due);
  const auto run = [&](const Processor& processor) {
    const auto begin = Clock::now();
    processor.process(*frame);
    result_.wallTimes[processor.name].add(microsecondsSince(begin));
  };
  for (const Processor& processor : processors_)
    if (processor.feedsBack) run(processor);
  frame->tracked = secondsOf(Clock::now());
  if (sinks_.wantPixels()) addPixels(*frame);
  playback_.taken();
  following_ = frame->set + 1;
  count(*frame);
  beginNext();
  for (const Processor& processor : processors_)
    if (!processor.feedsBack) run(processor);
  handOn(frame);
}

void SessionRun::handOn(FramePtr frame) {
  sinks_.hand(frame);
  if (options_.enough && options_.enough(*frame)) stopping_ = true;
  tracked_ = std::move(frame);
  if (!looked_) shown_ = tracked_;
  result_.wallTimes["frame"].add(microsecondsSince(measured_.start));
  if (!playback_.wantsFrame()) mode_ = SessionState::Mode::paused;
  publish();
  served_ = Clock::now();
  keepRecent();
  if (options_.maxFrames && result_.counts.frames >= *options_.maxFrames) stopping_ = true;
  if (options_.endOnSinkFailure && sinks_.stopped()) stopping_ = true;
}

/// A frame that no frame before it says anything about, be it that its camera begins later than the
/// others, is measured beforehand, and uses its own statistics; with live.lag 0 every frame is.
void SessionRun::expectFirstFrames(const FrameSet& set) {
  Trackers& trackers = tracking_.trackers();
  if (std::exchange(unseen_, false) || settings_->live.lag == 0) trackers.forgetResponses();
  std::vector<size_t> first;
  for (size_t i = 0; i < groups_.places.size(); ++i) {
    if (set.stampOf(groups_.places[i]) && trackers.lacksResponse(i)) first.push_back(i);
  }
  if (first.empty()) return;
  const std::vector<ResponseStatistics> own = detectors_.measure(set);
  for (const size_t camera : first) trackers.expect(camera, own[camera]);
}

/// Whether those of the frame that is shown were not wanted, or had no room.
bool SessionRun::planesMissing() const {
  return detectors_.measuring().planes.any() && shown_ &&
         std::all_of(planes_.begin(), planes_.end(), [](const auto& group) { return !group; });
}

/// The frame that is shown stays for a while: its planes, once more as it was measured.
void SessionRun::keepPlanes() {
  if (mode_ == SessionState::Mode::failed || !options_.wantsPlanes || !planesMissing()) return;
  const Begun& begun = onShow();
  if (begun.set.groups.empty() || begun.set.set != shown_->set) return;
  detectors_.submitAgain(begun.set, begun.expectations);
  auto again = detectors_.collect();
  planes_ = std::move(again.planes);
  deviceTimes_ = std::move(again.times);
  publish();
}

/// The frame that is shown, with the settings that are in force now: shown, but not tracked.
/// `ownStatistics`: what it was measured with before counts no more.
void SessionRun::measureAgain(bool ownStatistics) {
  Begun& begun = onShow();
  if (!shown_ || begun.set.groups.empty()) return;
  const auto responses =
      ownStatistics ? detectors_.measure(begun.set) : std::vector<ResponseStatistics>();
  for (size_t i = 0; i < responses.size(); ++i) {
    begun.expectations[i].response = responses[i].values;
    begun.expectations[i].pixels = responses[i].pixels;
    begun.expectations[i].ground = responses[i].ground;
  }
  detectors_.submitAgain(begun.set, begun.expectations);
  const std::shared_ptr<Frame> again = frameOf(begun, detectors_.collect());
  again->pass = shown_->pass;  // the present one may have no frame yet
  again->knowledge = tracking_.knowledge();
  again->tracked = shown_->tracked;
  again->due = shown_->due;
  for (size_t i = 0; i < again->cameras.size(); ++i) {
    again->cameras[i].tracks = shown_->cameras[i].tracks;
    again->cameras[i].tentative = shown_->cameras[i].tentative;
  }
  shown_ = again;
}

/// The frame that is shown, tracked as the whole recording was.
void SessionRun::trackAgain() {
  expectFirstFrames(measured_.set);
  measured_.expectations = tracking_.trackers().expectations();
  detectors_.submitAgain(measured_.set, measured_.expectations);
  const std::shared_ptr<Frame> again = frameOf(measured_, detectors_.collect());
  again->tracked = shown_->tracked;
  again->due = shown_->due;
  for (const Processor& processor : processors_) processor.process(*again);
  if (tracked_) tracked_ = again;
  shown_ = again;
}

/// Provisional ids give way to those of the whole recording as soon as these are known, between
/// frames; not while files are being written, since no output mixes both kinds.
void SessionRun::becomeWhole() {
  if (sinks_.recording() || mode_ == SessionState::Mode::failed) return;
  tracking_.release();
  const bool still =
      !playback_.wantsFrame() && shown_ && shown_->pass == pass_ && !measured_.set.groups.empty();
  const SetIndex from = still ? shown_->set : following_;
  if (still && shown_->knowledge == TrackKnowledge::causal && shown_->epoch == epoch_ &&
      tracking_.knows(from)) {
    auto whole = std::make_shared<Frame>(*shown_);
    tracking_.showAsWhole(*whole);
    shown_ = std::move(whole);
    publish();
  }
  if (!tracking_.canBeWhole(from)) return;
  ++epoch_;
  ++pass_;
  passBegin_ = from;
  unseen_ = !tracking_.begin(from);
  space_.begin();
  if (!still) return;
  trackAgain();
  publish();
}

void SessionRun::addPixels(Frame& frame) const {
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    if (!frame.cameras[i].measured.stamp) continue;
    frame.cameras[i].pixels = measured_.set.groups[groups_.places[i].group];
    frame.cameras[i].layer = groups_.places[i].layer;
  }
}

/// Frames 1, 4, 16 ... of the first camera are glanced at; measured_ is of this set.
void SessionRun::glance(const LayerMeasurement& measured) {
  SessionCounts& c = result_.counts;
  const uint64_t frame = c.cameras[0].frames;
  if (feeds_->live() || !std::has_single_bit(frame) || std::countr_zero(frame) % 2 != 0) return;
  const CameraGroups::Place& place = groups_.places[0];
  const Glance seen = glanceAt(measured_.set.groups[place.group]->room(place.layer),
                               measured.stamp->neutral, measured, *settings_);
  ++c.glances;
  if (seen.dimmer) ++c.dimmerGlances;
  if (seen.paired) ++c.pairedGlances;
}

void SessionRun::count(const Frame& frame) {
  SessionCounts& c = result_.counts;
  ++c.frames;
  c.lastMarkers = c.liveTracks = 0;
  const auto most = static_cast<size_t>(settings_->detect.maxMarkers);
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    const LayerMeasurement& measured = frame.cameras[i].measured;
    c.cameras[i].ended = measured.state == CameraState::ended;
    if (!c.cameras[i].ended) ++c.cameras[i].sets;
    if (!measured.stamp) continue;
    ++c.cameras[i].frames;
    c.dropped += measured.stamp->droppedBefore;
    if (measured.markers.size() == most) ++c.fullFrames;
    if (measured.partial) ++c.partialFrames;
    c.barely += countBarely(measured, *frame.settings);
    if (lampOf(measured, *frame.settings) != nullptr) ++c.lampFrames;
    if (i == 0) glance(measured);
    c.elongated += measured.elongated;
    if (measured.response.most < measured.threshold) ++c.dimFrames;
    c.lastMarkers += measured.markers.size();
    c.liveTracks += frame.cameras[i].tracks.size();
    for (const Rejected& r : measured.rejected) c.rejected[r.reason] += r.candidates;
  }
  c.markers += c.lastMarkers;
  c.tracks = tracking_.tracks();
  c.repeats = tracking_.repeats();
  c.stitches = tracking_.stitches();
  c.space = space_.counts();
}

void SessionRun::addDeviceTimes(const std::vector<PassTime>& times) {
  std::map<std::string, double> sums;
  for (const PassTime& pass : times) {
    sums[pass.name] += pass.microseconds;
    sums["all"] += pass.microseconds;
  }
  for (const auto& [name, sum] : sums) result_.deviceTimes[name].add(sum);
}

}  // namespace glint
