#include "app/session/engine.h"

#include <map>
#include <utility>

#include "config/error.h"

namespace glint::session {
namespace {

void addTimes(const std::vector<gpu::PassTime>& times, SessionTimes& sums) {
  std::map<std::string, double> passes;
  for (const gpu::PassTime& pass : times) {
    passes[pass.name] += pass.microseconds;
    passes["all"] += pass.microseconds;
  }
  for (const auto& [name, sum] : passes) sums[name].add(sum);
}

}  // namespace

Engine::Engine(const gpu::Device& device, const Transport& transport,
               const capture::CameraGroups& groups,
               std::shared_ptr<const motion::SessionInfo> session, const SessionOptions& options,
               bool followsHistory, SessionResult& result)
    : device_(device),
      groups_(groups),
      stills_(options.stills),
      detectors_(device, groups,
                 Measuring{.settings = std::make_shared<const Settings>(options.settings),
                           .rejected = options.rejected,
                           .planes = options.planes},
                 options.images),
      tracking_(options.settings, groups.places.size(), options.stills, followsHistory,
                options.checkpoints),
      space_(options.rig, options.bodies, options.settings, options.stills, options.refusedPoints),
      processors_(makeProcessors(tracking_, space_)),
      frames_(transport, detectors_, tracking_, groups, std::move(session), options.stay),
      result_(result) {}

/// Runs `action`. If it throws, reports a failure of the device, unless the device was lost, which
/// is reported as it is.
void Engine::onDevice(auto&& action) {
  try {
    action();
  } catch (const gpu::DeviceLost&) {
    throw;
  } catch (const std::exception& error) {
    throw Error("the device '{}' failed: {}", device_.info().name, error.what());
  }
}

void Engine::submit(capture::FrameSet set, std::optional<MeasuredSet::Clock::time_point> due,
                    bool keepsPlanes) {
  const auto begun = MeasuredSet::Clock::now();
  onDevice([&] {
    if (stills_) lacksStatistics_ = true;
    expectFirstFrames(set);
    const auto& expectations = tracking_.trackers().expectations();
    detectors_.submit(set, expectations, keepsPlanes);
    inFlight_ = MeasuredSet{std::move(set), begun, due, expectations};
  });
}

DrawableFrame Engine::collect() {
  MeasuredSet before = std::exchange(newest_, *std::exchange(inFlight_, std::nullopt));
  previousSet_ = std::move(before.set);
  Detectors::Result measured;
  const auto start = MeasuredSet::Clock::now();
  onDevice([&] { measured = detectors_.collect(); });
  result_.wallTimes["wait"].add(base::microsecondsSince(start));
  addTimes(measured.times, result_.deviceTimes);
  if (!measured.times.empty()) deviceTimes_ = std::move(measured.times);
  DrawableFrame made{frames_.measured(newest_, std::move(measured.cameras)),
                     std::move(measured.planes)};
  process(*made.frame, true);
  made.frame->tracked = secondsOf(MeasuredSet::Clock::now());
  return made;
}

/// Runs the processors that feed back, or those that do not. Neighbouring processors of the same
/// stage are timed together.
void Engine::process(motion::Frame& frame, bool feedsBack) {
  auto start = MeasuredSet::Clock::now();
  for (size_t i = 0; i < processors_.size(); ++i) {
    if (processors_[i].feedsBack != feedsBack) continue;
    processors_[i].process(frame);
    const bool stageGoesOn =
        i + 1 < processors_.size() && processors_[i + 1].stage == processors_[i].stage;
    if (stageGoesOn) continue;
    result_.wallTimes[processors_[i].stage].add(base::microsecondsSince(start));
    start = MeasuredSet::Clock::now();
  }
}

void Engine::drop() {
  if (!inFlight_) return;
  inFlight_.reset();
  detectors_.collect();
}

motion::FramePtr Engine::finishPass() {
  auto rows = tracking_.finish();
  return frames_.ofRows(std::move(rows), space_.finish());
}

void Engine::beginPass(SetIndex first) {
  lacksStatistics_ = !tracking_.begin(first);
  space_.begin();
}

motion::FramePtr Engine::openRows() const {
  return frames_.ofRows(tracking_.openRows(), space_.openRows());
}

DrawableFrame Engine::measureAgain(MeasuredSet& set, const motion::Frame& before,
                                   bool ownStatistics) {
  const auto responses =
      ownStatistics ? detectors_.measure(set.set) : std::vector<gpu::ResponseStatistics>();
  for (size_t i = 0; i < responses.size(); ++i) expectResponse(set.expectations[i], responses[i]);
  Detectors::Result measured = collectAgain(set);
  return {frames_.measuredAgain(set, std::move(measured.cameras), before),
          std::move(measured.planes)};
}

DrawableFrame Engine::trackAgain(const motion::Frame& before) {
  expectFirstFrames(newest_.set);
  newest_.expectations = tracking_.trackers().expectations();
  Detectors::Result measured = collectAgain(newest_);
  auto frame = frames_.measured(newest_, std::move(measured.cameras));
  frame->tracked = before.tracked;
  for (const Processor& processor : processors_) processor.process(*frame);
  return {std::move(frame), std::move(measured.planes)};
}

std::vector<std::shared_ptr<const gpu::PlaneImages>> Engine::keepPlanes(const MeasuredSet& set) {
  return collectAgain(set).planes;
}

/// Measures a set that was measured before, and waits for it.
Detectors::Result Engine::collectAgain(const MeasuredSet& set) {
  detectors_.submitAgain(set.set, set.expectations);
  Detectors::Result measured = detectors_.collect();
  if (!measured.times.empty()) deviceTimes_ = std::move(measured.times);
  return measured;
}

/// Measures the first frame of each camera in a pass beforehand. Such a frame has no predecessor,
/// so it uses its own statistics. With live.lag 0 every frame does.
void Engine::expectFirstFrames(const capture::FrameSet& set) {
  CameraTrackers& trackers = tracking_.trackers();
  const bool ownStatistics = std::exchange(lacksStatistics_, false);
  if (ownStatistics || detectors_.measuring().settings->live.lag == 0) trackers.forgetResponses();
  std::vector<size_t> first;
  for (size_t i = 0; i < groups_.places.size(); ++i) {
    if (set.stampOf(groups_.places[i]) && trackers.lacksResponse(i)) first.push_back(i);
  }
  if (first.empty()) return;
  const std::vector<gpu::ResponseStatistics> own = detectors_.measure(set);
  for (const size_t camera : first) trackers.expect(camera, own[camera]);
}

void Engine::adoptSettings(bool recording) {
  const auto before = detectors_.measuring().settings;
  detectors_.adopt();
  const Settings& settings = *detectors_.measuring().settings;
  tracking_.apply(settings, recording);
  space_.apply(settings);
  // The statistics of the previous frame belong to another plane.
  lacksStatistics_ |= !(before->response == settings.response) ||
                      before->filters != settings.filters ||
                      pixelsOf(before->detect) != pixelsOf(settings.detect);
}

void Engine::countTracks(SessionCounts& counts) const {
  counts.tracks = tracking_.tracks();
  counts.repeats = tracking_.repeats();
  counts.stitches = tracking_.stitches();
  counts.space = spaceCounts();
}

}  // namespace glint::session
