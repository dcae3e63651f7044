#include "app/session/run.h"

#include <utility>
#include <variant>

#include "app/space/space_rig.h"
#include "config/error.h"

namespace glint {
namespace {

// Between looks at the interrupt while there is nothing to do.
constexpr std::chrono::milliseconds kPatience{50};
// Between looks whether a change is ready while there is nothing to do.
constexpr std::chrono::milliseconds kSoon{2};

SessionInfo infoOf(const std::vector<std::unique_ptr<Source>>& sources, bool stills) {
  SessionInfo info{.sources = {}, .images = {}, .stills = stills};
  for (const auto& source : sources) {
    info.sources.push_back(source->name());
    info.images.push_back(source->format());
    info.live = info.live || source->isLive();
  }
  return info;
}

/// s, of each camera's times on the clock of all.
std::vector<double> offsetsOf(const SessionOptions& options, size_t cameras) {
  std::vector<double> offsets;
  if (!options.rig || options.rig->size() != cameras) return offsets;
  for (size_t c = 0; c < cameras; ++c) offsets.push_back((*options.rig)[c].camera().timeOffset);
  return offsets;
}

/// Frames, and ends: another number says that sinks have gone on.
uint64_t writtenOf(const std::vector<SinkStatus>& sinks) {
  uint64_t written = 0;
  for (const SinkStatus& sink : sinks) written += sink.frames + (sink.finished ? 1 : 0);
  return written;
}

}  // namespace

SessionRun::SessionRun(std::shared_ptr<const Device> device,
                       std::vector<std::unique_ptr<Source>> sources, SessionOptions options)
    : device_(std::move(device)),
      options_(std::move(options)),
      interrupt_(options_.interrupt ? *options_.interrupt : noInterrupt_),
      info_(std::make_shared<const SessionInfo>(infoOf(sources, options_.stills))),
      feeds_(std::make_unique<Feeds>(*device_, std::move(sources), options_.settings.live,
                                     interrupt_, offsetsOf(options_, info_->sources.size()))),
      groups_(feeds_->groups()),
      detectors_(*device_, groups_,
                 Measuring{.settings = options_.settings,
                           .rejected = options_.rejected,
                           .planes = options_.planes},
                 options_.images),
      tracking_(options_.settings, groups_.places.size(), options_.stills,
                options_.followsHistory && feeds_->canSeek() && !options_.stills,
                options_.checkpoints),
      space_(options_.rig, options_.bodies, options_.settings, options_.stills,
             options_.refusedPoints),
      processors_(makeProcessors(tracking_, space_)),
      sinks_(options_.listeners),
      settings_(std::make_shared<const Settings>(options_.settings)) {
  playback_.setSpeed(options_.speed);
  recentSeconds_ = options_.recentSeconds;
  if (options_.paused) {
    playback_.pause();
    feeds_->rest(true);
    playback_.showOne();
    mode_ = SessionState::Mode::paused;
  }
  result_.counts.cameras.resize(groups_.places.size());
  if (options_.from) beginAt(*options_.from);
  // Last: what is refused is refused above.
  if (options_.open)
    for (command::AddSink& added : options_.open(groups_)) sinks_.add(std::move(added), nullptr);
  began_ = Clock::now();
  noteZero();
  publish();
  thread_ = std::thread([this] { work(); });
}

/// Of live cameras: what their times count from.
void SessionRun::noteZero() {
  if (!feeds_->live()) return;
  using Seconds = std::chrono::duration<double>;
  const auto zero = feeds_->zero();
  const Seconds sinceEpoch = std::chrono::system_clock::now().time_since_epoch();
  result_.zero = Seconds(zero.time_since_epoch()).count();
  result_.zeroUtc = (sinceEpoch - Seconds(Clock::now() - zero)).count();
}

SessionRun::~SessionRun() {
  post({command::Stop{}, {}});
  finish();
}

void SessionRun::post(PostedCommand command) {
  const Answer answer = command.answer;
  if (commands_.post(std::move(command)))
    feeds_->wake();
  else if (answer)
    answer("the session has ended");
}

std::shared_ptr<const SessionState> SessionRun::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

bool SessionRun::wait(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return end_.wait_for(lock, patience, [this] { return ended_; });
}

const SessionResult& SessionRun::finish() {
  if (thread_.joinable()) thread_.join();
  return result_;
}

/// What it throws becomes the session's failure, unless there is one already; whether it threw
/// nothing. So what fails while a failure is dealt with ends nothing but itself.
bool SessionRun::guarded(auto&& action) {
  try {
    action();
    return true;
  } catch (const std::exception& error) {
    if (failure_.empty()) failure_ = error.what();
    return false;
  }
}

void SessionRun::work() {
  while (!stopping_) {
    std::string problem;
    try {
      iterate();
    } catch (const std::exception& error) {
      problem = error.what();
    }
    if (!problem.empty() && !guarded([&] { fail(problem); })) stopping_ = true;
  }
  close();
}

void SessionRun::iterate() {
  if (begun_) return complete();  // what has begun is never left
  carryOut();
  if (interrupt_.isSet()) result_.interrupted = stopping_ = true;
  if (stopping_) return;
  bringIntoForce();
  becomeWhole();
  if (wished_) lookAt(*std::exchange(wished_, std::nullopt));
  const bool idle = mode_ == SessionState::Mode::atEnd || mode_ == SessionState::Mode::failed ||
                    !playback_.wantsFrame();
  if (idle) {
    spent_ = {};
    keepPlanes();
    commands_.wait(Clock::now() + (pending_ ? kSoon : kPatience));
    if (writtenOf(sinks_.status()) != writtenShown_) publish();
    return;
  }
  if (!next_ && !fetch(kPatience)) return;
  if (back_ && !steppedBack()) return;
  if (!feeds_->live() && playback_.beyond(next_->set)) return reachEnd();
  const auto now = Clock::now();
  const auto due = dueOf(*next_);
  if (due && *due > now) {
    if (*due > now + kPatience) keepPlanes();
    commands_.wait(std::min(restUntil(*due, now), now + kPatience));
    return;
  }
  spent_ = {};
  begin(*std::exchange(next_, std::nullopt), due);
}

/// Until when nothing is to be done before the next set is due. Sources read on only in the second
/// half of that time: the first one is for drawing the frame that was just handed on, which reading
/// would hold up where there are few cores.
SessionRun::Clock::time_point SessionRun::restUntil(Clock::time_point due, Clock::time_point now) {
  const auto half = served_ + (due - served_) / 2;
  if (!spent_.groups.empty() && now < half) return half;
  spent_ = {};
  return due;
}

/// Before the thread: the first set from there on is fetched, or there is none for a reason that is
/// told later.
void SessionRun::beginAt(const From& from) {
  if (feeds_->live())
    throw UsageError("--from needs a recording: of live cameras there is nothing before");
  const auto* frame = std::get_if<FrameNumber>(&from);
  const double seconds = frame ? 0 : std::get<double>(from);
  bool ended = false;
  const auto go = [&](uint64_t set) {
    feeds_->seek(SetIndex(set), epoch_);
    ended = fetchFirst();
  };
  if (feeds_->canSeek()) {
    go(frame ? frame->value() : firstAt(seconds, [&](uint64_t set) {
      go(set);
      return next_ ? timeOf(*next_) : std::nullopt;
    }));
  } else {
    const auto before = [&] {
      if (!next_) return false;
      return frame ? next_->set.value() < frame->value()
                   : isEarlier(timeOf(*next_).value_or(seconds), seconds);
    };
    do ended = fetchFirst();
    while (before());
  }
  if (!next_ && ended) refuseFrom(from);
  if (!next_) return;
  passBegin_ = following_ = next_->set;
  tracking_.begin(next_->set);
}

/// Waits for the next set; whether there is none since the recording has ended.
bool SessionRun::fetchFirst() {
  for (next_.reset(); !interrupt_.isSet();) {
    FrameSet set;
    const Feeds::Outcome outcome = feeds_->next(set, kPatience);
    if (outcome == Feeds::Outcome::set) next_ = std::move(set);
    if (outcome != Feeds::Outcome::nothing) return outcome == Feeds::Outcome::ended;
  }
  return false;
}

/// When it is to be played; empty: at once.
std::optional<SessionRun::Clock::time_point> SessionRun::dueOf(const FrameSet& set) {
  if (feeds_->live()) return std::nullopt;
  const auto time = timeOf(set);
  return time ? playback_.due(*time, Clock::now()) : std::nullopt;
}

/// The earliest of its cameras, so that none is late for the others' sake.
std::optional<double> SessionRun::timeOf(const FrameSet& set) const {
  std::optional<double> time;
  for (size_t i = 0; i < groups_.places.size(); ++i) {
    const auto stamp = set.stampOf(groups_.places[i]);
    if (!stamp) continue;
    const double own = stamp->time + feeds_->offsetOf(i);
    time = std::min(time.value_or(own), own);
  }
  return time;
}

/// Whether the next set is there now.
bool SessionRun::fetch(std::chrono::milliseconds patience) {
  FrameSet set;
  switch (feeds_->next(set, patience)) {
    case Feeds::Outcome::set:
      next_ = std::move(set);
      return true;
    case Feeds::Outcome::nothing:
      keepPlanes();
      publish();  // a camera may have gone, or come back
      return false;
    case Feeds::Outcome::ended:
      if (interrupt_.isSet()) result_.interrupted = true;
      reachEnd();
      return false;
    case Feeds::Outcome::failed:
      fail(feeds_->failure());
      return false;
  }
  return false;
}

void SessionRun::reachEnd() {
  if (playback_.loops() && playback_.playing() && feeds_->canSeek() && tracked_) {
    jump(playback_.in());
  } else if (options_.stay && !feeds_->live()) {
    endPass(following_);
    playback_.pause();
    mode_ = SessionState::Mode::atEnd;
    publish();
  } else {
    stopping_ = true;
  }
}

/// The rows that are still open go to the sinks, of which files end. Set `next` is to follow.
void SessionRun::endPass(SetIndex next) {
  next_.reset();
  if (begun_) {  // it is not tracked any more
    begun_.reset();
    guarded([&] { detectors_.collect(); });
  }
  tracked_.reset();
  playback_.jumped();
  guarded([&] { sinks_.endPass(lastFrame(tracking_.finish(), space_.finish())); });
  result_.counts.untracked.add(tracking_.untracked());
  unseen_ = !tracking_.begin(next);
  space_.begin();
  result_.counts.space = space_.counts();
}

void SessionRun::fail(const std::string& problem) {
  failure_ = problem;
  if (!options_.stay) {
    stopping_ = true;
    return;
  }
  mode_ = SessionState::Mode::failed;
  playback_.pause();
  endPass(following_);
  publish();
}

/// Whatever fails here, all else is done.
void SessionRun::close() {
  guarded([&] {
    result_.byTime = feeds_->byTime();
    result_.wallTimes["capture"] = feeds_->readTimes();
    result_.cameras = feeds_->status();
  });
  guarded([&] { endPass(following_); });
  guarded([&] { sinks_.finish(); });
  guarded([&] {
    result_.sinks = sinks_.status();
    for (const SinkStatus& sink : result_.sinks)
      if (sink.handover != Handover::newest) result_.counts.leftOut += sink.dropped;
    if (failure_.empty()) failure_ = sinks_.firstProblem();
  });
  result_.failure = failure_;
  result_.seconds = microsecondsSince(began_) / 1e6;
  mode_ = SessionState::Mode::ended;
  guarded([&] { publish(); });
  if (pending_) {
    for (const Answer& answer : pending_->answers)
      guarded([&] { answer("the session has ended"); });
  }
  for (const PostedCommand& left : commands_.close())
    if (left.answer) guarded([&] { left.answer("the session has ended"); });
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_all();
}

void SessionRun::publish() {
  auto state = std::make_shared<SessionState>();
  state->mode = mode_;
  state->owes = !playback_.playing() && playback_.wantsFrame();
  state->epoch = epoch_;
  state->pass = pass_;
  state->frame = shown_;
  if (options_.stay && !planesMissing()) state->set = onShow().set;
  state->length = feeds_->length();
  state->canSeek = feeds_->canSeek();
  state->live = feeds_->live();
  state->cameras = feeds_->status();
  state->recent = recent();
  state->settings = *settings_;
  state->rejected = detectors_.measuring().rejected;
  state->speed = playback_.speed();
  state->loops = playback_.loops();
  state->in = playback_.in();
  state->out = playback_.out();
  state->counts = result_.counts;
  state->deviceTimes = deviceTimes_;
  state->planes = planes_;
  state->sinks = sinks_.status();
  writtenShown_ = writtenOf(state->sinks);
  state->failure = failure_;
  std::shared_ptr<const SessionState> newest = std::move(state);
  {
    const std::lock_guard lock(mutex_);
    newest.swap(state_);
  }  // the one before is destroyed outside of the lock, or by its last reader
  if (options_.published) options_.published();
}

}  // namespace glint
