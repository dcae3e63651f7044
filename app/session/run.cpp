// The thread of a session.

#include <algorithm>
#include <array>
#include <thread>
#include <utility>
#include <variant>

#include "app/session/counting.h"
#include "app/session/display.h"
#include "app/session/engine.h"
#include "app/session/look_back.h"
#include "app/session/pending_change.h"
#include "app/session/publisher.h"
#include "app/session/session.h"
#include "app/session/session_sinks.h"
#include "app/session/set_reader.h"
#include "app/session/transport.h"
#include "config/error.h"
#include "config/error_reason.h"

namespace glint::session {
namespace {

// Interval at which the interrupt is checked while there is nothing to do.
constexpr std::chrono::milliseconds kPatience{50};
// Interval at which the loop checks if a change is ready while there is nothing to do.
constexpr std::chrono::milliseconds kSoon{2};

/// A visitor of a variant, with one function for each alternative.
template <class... Functions>
struct Visitor : Functions... {
  using Functions::operator()...;
};

/// Stores the moment at which the time of live cameras was 0, on the host's clock and since 1970.
void noteZero(const capture::Feeds& feeds, SessionResult& result) {
  if (!feeds.live()) return;
  using Seconds = std::chrono::duration<double>;
  const auto zero = feeds.zero();
  const Seconds sinceEpoch = std::chrono::system_clock::now().time_since_epoch();
  result.zero = Seconds(zero.time_since_epoch()).count();
  result.zeroUtc = (sinceEpoch - Seconds(std::chrono::steady_clock::now() - zero)).count();
}

Transport::Sources sourcesOf(const capture::Feeds& feeds) {
  return {.live = feeds.live(), .canSeek = feeds.canSeek(), .length = feeds.length()};
}

}  // namespace

/// One session: its parts, and the loop that drives them. The constructor starts the session's
/// thread. From then on only that thread uses the members, except those that the public functions
/// use.
class SessionRun {
 public:
  SessionRun(std::shared_ptr<const gpu::Device> device, capture::SourceList sources,
             SessionOptions options);
  ~SessionRun();

  // Functions for any thread.
  void post(PostedCommand command);
  std::shared_ptr<const SessionState> state() const { return publisher_.state(); }
  const capture::CameraGroups& groups() const { return sets_.feeds().groups(); }
  bool wait(std::chrono::milliseconds patience) { return publisher_.wait(patience); }
  const SessionResult& finish();

 private:
  using Clock = std::chrono::steady_clock;

  // The loop, in the order in which a frame passes through it.
  void work();
  bool guarded(auto&& action);
  void iterate();
  void idle();
  bool fetch();
  std::optional<Clock::time_point> dueTime();
  Clock::time_point wakeUpTime(Clock::time_point due, Clock::time_point now);
  void submit(std::optional<Clock::time_point> due);
  void serve();
  void submitAhead();
  void count(const motion::Frame& frame);
  bool hasAllFrames() const;
  void handOn(DrawableFrame made);
  void publish();
  void keepPlanes();

  // Passes.
  void act(const Transport::Action& action);
  void jump(SetIndex set);
  void endPass(SetIndex next);
  void useWholeTracks();
  void fail(const std::string& problem);
  void close(Clock::time_point begun);

  // Commands.
  void carryOut(PostedCommand posted);
  void play();
  void pause();
  void step(int64_t frames);
  void removeSink(uint64_t id, Answer& answer);
  void bringIntoForce();

  const std::shared_ptr<const gpu::Device> device_;
  const SessionOptions options_;
  SessionResult result_;
  SetReader sets_;
  Transport transport_;
  Engine engine_;
  Display display_;
  LookBack lookBack_;
  PendingChange change_;
  SessionSinks sinks_;
  Publisher publisher_;
  CommandQueue commands_;
  bool stopping_ = false;
  // The reason why the session does not continue at present, until a jump.
  std::string failure_;
  // Time at which the newest frame was handed on.
  Clock::time_point servedAt_{};
  std::thread thread_;
};

SessionRun::SessionRun(std::shared_ptr<const gpu::Device> device, capture::SourceList sources,
                       SessionOptions options)
    : device_(std::move(device)),
      options_(std::move(options)),
      sets_(*device_, std::move(sources), options_),
      transport_(sourcesOf(sets_.feeds()), options_.stay),
      engine_(*device_, transport_, groups(), sets_.info(), options_,
              options_.followsHistory && sets_.feeds().canSeek() && !options_.stills, result_),
      display_(engine_),
      lookBack_(*device_, groups(), transport_, display_, sets_.feeds().live(),
                options_.recentSeconds),
      change_(engine_.detectors(), sets_.feeds()),
      // In a session that follows a history, later passes have provisional ids, which the outputs
      // of the run must not hold.
      sinks_(options_.listeners, options_.paused && !options_.followsHistory),
      publisher_(options_.published) {
  transport_.setSpeed(options_.speed);
  if (options_.paused) {
    transport_.pause();
    sets_.feeds().rest(true);
    transport_.showOne();
  }
  result_.counts.cameras.resize(groups().places.size());
  if (options_.from) {
    sets_.beginAt(*options_.from);
    if (const auto& first = sets_.fetched()) {
      transport_.beginAt(first->set);
      engine_.tracking().begin(first->set);
    }
  }
  // Sinks are opened last, so that a session that is refused above writes no file.
  if (options_.open)
    for (command::AddSink& added : options_.open(groups())) sinks_.add(std::move(added), nullptr);
  noteZero(sets_.feeds(), result_);
  publish();
  thread_ = std::thread([this] { work(); });
}

SessionRun::~SessionRun() {
  post({command::Stop{}, {}});
  finish();
}

void SessionRun::post(PostedCommand command) {
  const Answer answer = command.answer;
  if (commands_.post(std::move(command)))
    sets_.feeds().wake();
  else if (answer)
    answer("the session has ended");
}

const SessionResult& SessionRun::finish() {
  if (thread_.joinable()) thread_.join();
  return result_;
}

/// Runs `action`. If it throws, its message becomes the session's failure, unless the session has
/// failed already. Returns true if it did not throw.
bool SessionRun::guarded(auto&& action) {
  try {
    action();
    return true;
  } catch (const std::exception& error) {
    if (failure_.empty()) failure_ = reasonOf(error);
    return false;
  }
}

void SessionRun::work() {
  const auto begun = Clock::now();
  while (!stopping_) {
    std::string problem;
    try {
      iterate();
    } catch (const std::exception& error) {
      problem = reasonOf(error);
    }
    if (!problem.empty() && !guarded([&] { fail(problem); })) stopping_ = true;
  }
  close(begun);
}

/// Does the next step of the diagram in docs/architecture.md, "How one frame flows": first commands
/// and settings, then a set from the sources to the device, then its frame from the device to the
/// sinks.
void SessionRun::iterate() {
  // A set that was submitted must be completed first.
  if (engine_.isBusy()) return serve();
  for (PostedCommand& posted : commands_.take()) carryOut(std::move(posted));
  if (sets_.isInterrupted()) result_.interrupted = stopping_ = true;
  if (stopping_) return;
  bringIntoForce();
  useWholeTracks();
  if (lookBack_.showRequested()) publish();
  if (transport_.isIdle()) return idle();

  if (!fetch()) return;
  const Transport::Action action = transport_.consider(sets_.fetched()->set);
  if (action.kind != Transport::Action::Kind::take) return act(action);
  const auto now = Clock::now();
  const auto due = dueTime();
  if (due && *due > now) {
    if (*due > now + kPatience) keepPlanes();
    commands_.wait(std::min(wakeUpTime(*due, now), now + kPatience));
    return;
  }
  engine_.releasePrevious();
  submit(due);
}

void SessionRun::idle() {
  engine_.releasePrevious();
  keepPlanes();
  commands_.wait(Clock::now() + (change_.isPending() ? kSoon : kPatience));
  if (publisher_.isOutdated(sinks_.status())) publish();
}

/// Returns true if the next set has arrived.
bool SessionRun::fetch() {
  switch (sets_.fetch(kPatience)) {
    case capture::Feeds::Outcome::set:
      return true;
    case capture::Feeds::Outcome::nothing:
      keepPlanes();
      // A camera may have been lost, or may have returned.
      publish();
      return false;
    case capture::Feeds::Outcome::ended:
      if (sets_.isInterrupted()) result_.interrupted = true;
      act(transport_.reachEnd());
      return false;
    case capture::Feeds::Outcome::failed:
      fail(sets_.feeds().failure());
      return false;
  }
  return false;
}

/// Returns the time at which the fetched set has to be measured, or nothing if at once.
std::optional<SessionRun::Clock::time_point> SessionRun::dueTime() {
  const auto time = sets_.timeOf(*sets_.fetched());
  return time ? transport_.due(*time, Clock::now()) : std::nullopt;
}

/// Returns when the loop has to wake up to submit the next set on time. Sources continue to read
/// only in the second half of that time. The first half is for drawing the frame that was just
/// handed on, which reading would delay on a machine with few cores.
SessionRun::Clock::time_point SessionRun::wakeUpTime(Clock::time_point due, Clock::time_point now) {
  const auto half = servedAt_ + (due - servedAt_) / 2;
  if (engine_.holdsPrevious() && now < half) return half;
  engine_.releasePrevious();
  return due;
}

/// Submits the fetched set to the device.
void SessionRun::submit(std::optional<Clock::time_point> due) {
  const bool drawn = !display_.showsEarlier() &&
                     (!options_.wantsPlanes || !transport_.playing() || options_.wantsPlanes());
  engine_.submit(sets_.take(), due, drawn);
}

/// Waits for the set that the device is working on, and hands on its frame. The next set is
/// submitted as soon as its predictions are known, before the frame is handed on.
void SessionRun::serve() {
  DrawableFrame made = engine_.collect();
  motion::Frame& frame = *made.frame;
  if (sinks_.wantPixels()) engine_.frames().addPixels(frame, engine_.newest().set);
  transport_.taken(frame.set);
  count(frame);
  submitAhead();
  engine_.complete(frame);
  handOn(std::move(made));
  if (!engine_.newest().due) engine_.releasePrevious();
}

/// Submits the next set if it has arrived and is due, and no command, change or interrupt is
/// waiting.
void SessionRun::submitAhead() {
  if (!transport_.playing() || !commands_.empty() || change_.isPending() || sets_.isInterrupted())
    return;
  if (hasAllFrames() || options_.enough || engine_.tracking().canBeWhole(transport_.next())) return;
  if (sets_.fetch(std::chrono::milliseconds(0)) != capture::Feeds::Outcome::set) return;
  if (transport_.isBeyond(sets_.fetched()->set)) return;
  const auto due = dueTime();
  if (!due || *due <= Clock::now()) submit(due);
}

void SessionRun::count(const motion::Frame& frame) {
  countFrame(frame, result_.counts);
  countGlance(frame, engine_.newest().set, groups(), result_.counts);
  engine_.countTracks(result_.counts);
}

bool SessionRun::hasAllFrames() const {
  return options_.maxFrames && result_.counts.frames >= *options_.maxFrames;
}

void SessionRun::handOn(DrawableFrame made) {
  const motion::FramePtr frame = made.frame;
  sinks_.hand(frame);
  if (options_.enough && options_.enough(*frame)) stopping_ = true;
  display_.take(std::move(made));
  result_.wallTimes["frame"].add(base::microsecondsSince(engine_.newest().begun));
  publish();
  servedAt_ = Clock::now();
  lookBack_.keepNewest();
  if (hasAllFrames()) stopping_ = true;
  if (options_.endOnSinkFailure && sinks_.stopped()) stopping_ = true;
}

void SessionRun::publish() {
  const capture::Feeds& feeds = sets_.feeds();
  auto state = std::make_shared<SessionState>();
  state->mode = transport_.mode();
  state->owes = (!transport_.playing() && transport_.wantsSet()) || lookBack_.isRequested();
  state->epoch = transport_.epoch();
  state->pass = transport_.pass();
  state->frame = display_.frame();
  if (options_.stay && !display_.lacksPlanes()) state->set = display_.set().set;
  state->planes = display_.planes();
  state->length = feeds.length();
  state->canSeek = feeds.canSeek();
  state->live = feeds.live();
  state->settings = engine_.detectors().measuring().settings;
  state->rejected = engine_.detectors().measuring().rejected;
  state->speed = transport_.speed();
  state->loops = transport_.loops();
  state->in = transport_.in();
  state->out = transport_.out();
  state->recent = lookBack_.state();
  state->counts = result_.counts;
  state->deviceTimes = engine_.deviceTimes();
  state->cameras = feeds.status();
  state->sinks = sinks_.status();
  state->failure = failure_;
  publisher_.publish(std::move(state));
}

/// The frame on show stays for a while, so this makes the planes that it lacks.
void SessionRun::keepPlanes() {
  if (transport_.mode() == PlayMode::failed || !options_.wantsPlanes) return;
  if (display_.keepPlanes()) publish();
}

void SessionRun::act(const Transport::Action& action) {
  switch (action.kind) {
    case Transport::Action::Kind::take:
      return;
    case Transport::Action::Kind::skip:
      return sets_.drop();
    case Transport::Action::Kind::jump:
      return jump(action.set);
    case Transport::Action::Kind::rest:
      endPass(transport_.next());
      transport_.restAt(PlayMode::atEnd);
      return publish();
    case Transport::Action::Kind::stop:
      stopping_ = true;
  }
}

/// Ends the pass and begins another one at `set`.
void SessionRun::jump(SetIndex set) {
  if (transport_.mode() == PlayMode::paused) sinks_.skipOpening();
  endPass(set);
  failure_.clear();
  transport_.jumpTo(set);
  sets_.feeds().seek(set, transport_.epoch());
}

/// Ends the pass: hands the remaining rows to the sinks, and ends files. The next set will be
/// `next`.
void SessionRun::endPass(SetIndex next) {
  sets_.drop();
  guarded([&] { engine_.drop(); });
  display_.endPass();
  transport_.endPass();
  guarded([&] { sinks_.endPass(engine_.finishPass()); });
  result_.counts.untracked.add(engine_.tracking().untracked());
  engine_.beginPass(next);
  result_.counts.space = engine_.spaceCounts();
}

/// Replaces provisional ids by those of the whole recording between two frames, as soon as these
/// are known. Waits while files are being written, because no output mixes both kinds of ids.
void SessionRun::useWholeTracks() {
  if (sinks_.recording() || transport_.mode() == PlayMode::failed) return;
  SessionTracker& tracking = engine_.tracking();
  tracking.release();
  const auto shown = display_.setOf(transport_.pass());
  const bool still = !transport_.wantsSet() && shown && !engine_.newest().set.groups.empty();
  const SetIndex from = still ? *shown : transport_.next();
  const auto isCausal = [&](const motion::Frame& frame) {
    return frame.knowledge == motion::TrackKnowledge::causal && frame.epoch == transport_.epoch();
  };
  if (still && isCausal(*display_.frame()) && tracking.knows(from)) {
    display_.showWholeTracks();
    publish();
  }
  if (!tracking.canBeWhole(from)) return;
  transport_.splitPass(from);
  engine_.beginPass(from);
  if (!still) return;
  display_.trackAgain();
  publish();
}

void SessionRun::fail(const std::string& problem) {
  failure_ = problem;
  if (!options_.stay) {
    stopping_ = true;
    return;
  }
  transport_.restAt(PlayMode::failed);
  endPass(transport_.next());
  publish();
}

/// Ends everything. If one step fails, the others are done nevertheless.
void SessionRun::close(Clock::time_point begun) {
  guarded([&] {
    result_.byTime = sets_.feeds().byTime();
    result_.wallTimes["capture"] = sets_.feeds().readTimes();
    result_.cameras = sets_.feeds().status();
  });
  guarded([&] { endPass(transport_.next()); });
  guarded([&] { sinks_.finish(); });
  guarded([&] {
    result_.sinks = sinks_.status();
    for (const output::SinkStatus& sink : result_.sinks)
      if (sink.handover != output::Handover::newest) result_.counts.leftOut += sink.dropped;
    if (failure_.empty()) failure_ = sinks_.firstProblem();
  });
  result_.failure = failure_;
  result_.seconds = base::microsecondsSince(begun) / 1e6;
  transport_.end();
  guarded([&] { publish(); });
  std::vector<Answer> left = change_.finish();
  for (PostedCommand& posted : commands_.close()) left.push_back(std::move(posted.answer));
  for (const Answer& answer : left)
    if (answer) guarded([&] { answer("the session has ended"); });
  publisher_.end();
}

/// Carries out a command between two frames. If it is refused, its answer says why. Changes and
/// removals of sinks take the answer and give it later.
void SessionRun::carryOut(PostedCommand posted) {
  Answer& answer = posted.answer;
  const Visitor commands{
      [&](command::Change& change) { change_.changeSettings(change.change, answer); },
      [&](command::Explain& explain) { change_.reportRejected(explain.on, answer); },
      [&](command::Watch& watch) { change_.watchPlanes(watch.planes, answer); },
      [&](command::Play&) { play(); },
      [&](command::Pause&) { pause(); },
      [&](command::Step& step) { this->step(step.frames); },
      [&](command::Seek& seek) {
        transport_.seek(seek.set);
        jump(seek.set);
      },
      [&](command::Speed& speed) { transport_.setSpeed(speed.factor); },
      [&](command::Loop& loop) { transport_.setLoop(loop.on); },
      [&](command::Range& range) {
        const auto& fetched = sets_.fetched();
        const auto waiting = fetched ? std::optional(fetched->set) : std::nullopt;
        act(transport_.setRange(range.in, range.out, waiting));
      },
      [&](command::AddSink& added) {
        const bool nextFollows = !transport_.wantsSet() && display_.newest();
        sinks_.add(std::move(added), nextFollows ? display_.newestWithPixels() : nullptr);
      },
      [&](command::RemoveSink& removed) { removeSink(removed.id, answer); },
      [&](command::Follow& follow) { engine_.tracking().follow(std::move(follow.history)); },
      [&](command::ShowRecent& show) { lookBack_.showRecent(show.set); },
      [&](command::Hold&) { lookBack_.hold(); },
      [&](command::Recall& recall) { recall.take(lookBack_.recall(recall.seconds)); },
      [&](command::Remember& remember) { lookBack_.remember(remember.seconds); },
      [&](command::Stop&) { stopping_ = true; },
  };
  std::string problem;
  try {
    std::visit(commands, posted.command);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  publish();
  if (answer) answer(problem);
}

void SessionRun::play() {
  if (const auto from = transport_.play()) jump(*from);
  sets_.feeds().rest(false);
}

void SessionRun::pause() {
  const bool played = transport_.pause();
  sets_.feeds().rest(true);
  if (!played) return;
  // Shows the effect of settings that came into force since the last frame.
  if (!display_.setOf(transport_.pass())) {
    if (!sets_.feeds().live()) transport_.showOne();
  } else if (display_.frame()->epoch != transport_.epoch()) {
    display_.measureAgain();
  }
}

void SessionRun::step(int64_t frames) {
  if (frames == 0) return;
  if (frames > 0) return transport_.step(static_cast<uint64_t>(frames), failure_);
  const uint64_t back = 0 - static_cast<uint64_t>(frames);
  if (const auto set = transport_.stepBack(back, display_.setOf(transport_.pass())))
    jump(*set);
  else if (!transport_.wantsSet())
    pause();
}

/// Ends sinks. Their answer is given once their files are complete.
void SessionRun::removeSink(uint64_t id, Answer& answer) {
  Answer whole = std::exchange(answer, {});
  try {
    sinks_.remove(id, engine_.openRows(), whole);
  } catch (const std::exception&) {
    answer = std::move(whole);
    throw;
  }
}

/// Brings the pending change into force as soon as that delays no frame. If it fails, the session
/// continues as before.
void SessionRun::bringIntoForce() {
  if (!change_.isPending()) return;
  std::string problem;
  std::exception_ptr lost;
  try {
    if (!change_.isReady()) return;
    engine_.adoptSettings(sinks_.recording());
    transport_.startEpoch();
    result_.settingsChanges.push_back(
        {transport_.pass(), transport_.next(), *engine_.detectors().measuring().settings});
    if (!transport_.wantsSet() || display_.showsEarlier()) display_.measureAgain();
  } catch (const gpu::DeviceLost& error) {
    lost = std::current_exception();
    problem = error.what();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  const std::vector<Answer> answers = change_.finish();
  publish();
  for (const Answer& answer : answers) answer(problem);
  if (lost) std::rethrow_exception(lost);
}

Session::Session(std::shared_ptr<const gpu::Device> device, capture::SourceList sources,
                 SessionOptions options)
    : run_(std::make_unique<SessionRun>(std::move(device), std::move(sources),
                                        std::move(options))) {}

Session::~Session() = default;

void Session::post(Command command, Answer answer) {
  run_->post({std::move(command), std::move(answer)});
}

std::shared_ptr<const SessionState> Session::state() const {
  return run_->state();
}

const capture::CameraGroups& Session::groups() const {
  return run_->groups();
}

bool Session::wait(std::chrono::milliseconds patience) {
  return run_->wait(patience);
}

const SessionResult& Session::finish() {
  return run_->finish();
}

const char* nameOf(SessionState::Mode mode) {
  constexpr std::array kNames{"playing", "paused", "at_end", "failed", "ended"};
  return kNames[static_cast<size_t>(mode)];
}

}  // namespace glint::session
