#include "ui/main_loop.h"

#include <algorithm>
#include <ctime>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_vulkan.h>

#include "app/output/pictures/image_writer.h"
#include "config/error.h"
#include "ui/draw/dialog.h"
#include "ui/draw/hints.h"
#include "ui/draw/letters.h"
#include "ui/draw/style.h"

namespace glint::ui {
namespace {

/// Time after which a picture that is due and not drawn is passed over, so that the session keeps
/// the planes of a newer frame.
constexpr std::chrono::milliseconds kPatience{100};
/// Shortest time between two pictures if the frame on the screen stays while the session continues.
constexpr std::chrono::milliseconds kBeside{200};

}  // namespace

void Host::wake() {
  if (!news.exchange(true)) glfwPostEmptyEvent();
}

MainLoop::MainLoop(const shell::WindowTask& task, Host& host)
    : task_(task),
      host_(host),
      input_(host.window->handle()),
      gui_(
          task, host.messages, host.listeners, host.memory.history, [&host] { host.wake(); },
          [&host] { return host.files.recent(); }, host.cameras),
      pacer_(task.device->info().type == "cpu") {
  host.memory.recall(gui_);
  scale_ = wantedScale();
  letters_ = furtherLetters().size();
  applyStyle(scale_);
  renderer_ = std::make_unique<Renderer>(*task.device, host.window->handle());
}

std::optional<shell::Opening> MainLoop::run() {
  while (!leaves()) {
    waitForWork();
    takeNews();
    if (gui_.model.player.state().mode == session::SessionState::Mode::ended) return {};
    if (auto dropped = input_.takeDropped(); !dropped.empty())
      gui_.actions.open(std::vector<Address>(dropped.begin(), dropped.end()));
    followScale();
    bool built = false;
    for (; input_.pending(); built = true) buildFrame();
    if (!pacer_.wants() || Clock::now() < pacer_.due()) continue;
    if (!built) buildFrame();
    drawFrame();
    host_.wanted.store(gui_.minimised ? Clock::time_point::max() : pacer_.due());
  }
  if (gui_.actions.next()) gui_.model.player.announceRecordingEnd();
  return gui_.actions.next();
}

float MainLoop::wantedScale() const {
  return host_.window->scale() * static_cast<float>(gui_.layout.scale);
}

/// Adapts the size of letters and of all else to the screen, which may be another one now, and to
/// the user's choice. Loads further letters if a name that is shown has them.
void MainLoop::followScale() {
  const float wanted = wantedScale();
  if (wanted == scale_ && letters_ == furtherLetters().size()) return;
  letters_ = furtherLetters().size();
  scale_ = wanted;
  applyStyle(scale_);
  renderer_->renewFonts();
  pacer_.input();
}

/// Returns true if the session shall be left. If an export, settings or a mask would be lost, asks
/// the user first.
bool MainLoop::leaves() {
  if (host_.window->closing()) {
    host_.window->stay();
    gui_.actions.quit();
  }
  if (!gui_.actions.leaving()) return false;
  const bool opensOthers = gui_.actions.next().has_value();
  if (!gui_.panels.exporting.mayLeave(opensOthers)) {
    gui_.actions.wait();
    pacer_.input();
    return false;
  }
  // The next session begins with these settings.
  if (opensOthers && !gui_.model.draft.applied()) return false;
  // A project has settings of its own.
  const bool keepsSettings = opensOthers && gui_.actions.next()->project.empty();
  if (gui_.panels.quitting.allowed(keepsSettings)) return true;
  gui_.actions.wait();
  gui_.panels.quitting.ask(opensOthers, keepsSettings);
  pacer_.input();
  return false;
}

void MainLoop::waitForWork() {
  if (!gui_.minimised && gui_.messages->unseen()) pacer_.changed();
  std::optional<Clock::time_point> until = gui_.messages->nextChange();
  const std::optional<Clock::time_point> hint = nextHint();
  if (hint) until = std::min(until.value_or(*hint), *hint);
  if (later_) until = std::min(until.value_or(*later_), *later_);
  if (pacer_.wants()) until = pacer_.due();
  std::optional<double> seconds;
  if (until) seconds = std::chrono::duration<double>(*until - Clock::now()).count();
  input_.wait(host_.news ? 0 : seconds);
  if (input_.pending()) pacer_.input();
  if (input_.takeRefresh()) {
    renderer_->refresh();
    pacer_.input();
  }
  const auto next = gui_.messages->nextChange();
  const auto isDue = [now = Clock::now()](const auto& time) { return time && *time <= now; };
  if (isDue(next) || isDue(later_)) pacer_.changed();
  if (isDue(hint)) pacer_.tooltip();
}

void MainLoop::takeNews() {
  if (!host_.news.exchange(false)) return;
  // noteAnswers() comes before the state is taken, so that the state shows the effect of these
  // answers.
  gui_.model.draft.noteAnswers();
  const bool settled = gui_.model.player.isAnswered();
  const auto state = task_.session.state();
  const bool same = state->frame == gui_.model.player.state().frame;
  Timings& timings = gui_.model.timings;
  const auto& passes = timings.passes;
  if (state->frame && !same && (passes.empty() || passes.back() != state->deviceTimes))
    timings.passes.push_back(state->deviceTimes);
  if (timings.passes.size() > Timings::kMostFrames) timings.passes.pop_front();
  gui_.model.player.see(state, settled);
  host_.listeners.trails->hold(gui_.model.player.isLookingBack());
  host_.listeners.presence->hold(gui_.model.player.isLookingBack());
  host_.listeners.latest->hold(gui_.model.player.isLookingBack());
  const bool fresh = gui_.model.shown.see(*state);
  if (fresh) host_.wanted.store(pacer_.due() + kPatience);
  gui_.model.tracks.follow(*state);
  gui_.model.health.see(*state, monotonicSeconds(), std::time(nullptr));
  reportFailure(*state);
  if (gui_.model.player.lastRecorded() != reported_) {
    reported_ = gui_.model.player.lastRecorded();
    gui_.panels.reports.remember(reported_);
  }
  // A playing session sends frames whose planes it has not kept. They are not drawn, and a later
  // one will be. While an earlier frame is looked at, the newer ones change only numbers, which are
  // drawn less often.
  const bool lookingBack = state->recent && state->recent->isShown;
  const bool playing = state->mode == session::SessionState::Mode::playing;
  const bool beside = same && !fresh && (lookingBack || playing);
  const bool soon = beside && Clock::now() - sidesDrawn_ < kBeside;
  if (soon)
    later_ = sidesDrawn_ + kBeside;
  else
    sidesDrawn_ = Clock::now();
  const bool still = same || !playing;
  if (!soon && (fresh || still)) pacer_.changed();
  pacer_.hurry(gui_.model.player.playing() && gui_.model.player.speed() == 0 && !state->live);
  uint64_t delivered = 0;
  for (const auto& camera : state->cameras)
    delivered = std::max(delivered, camera.delivered + camera.dropped);
  timings.processed.update(monotonicSeconds(), state->counts.frames);
  timings.delivered.update(monotonicSeconds(), delivered);
}

/// Tells the user why the session has stopped, once for each reason.
void MainLoop::reportFailure(const session::SessionState& state) {
  const bool failed = state.mode == session::SessionState::Mode::failed;
  if (failed && state.failure != failure_) gui_.messages->fail(state.failure);
  failure_ = failed ? state.failure : "";
}

/// Saves the images on the screen, with the markers and tracks drawn over them, as a PNG file.
void MainLoop::saveCopy() {
  gui_.viewState.copied = false;
  pacer_.input();
  const auto copy = renderer_->takeCopy();
  if (!copy) return gui_.messages->fail("this screen does not allow copying its picture");
  try {
    const std::string name = timedName(".png");
    output::writePixels(name, copy->width, copy->height, copy->pixels);
    gui_.messages->note("the view was saved in " + name);
  } catch (const Error& error) {
    gui_.messages->fail(error.what());
  }
}

void MainLoop::buildFrame() {
  input_.beginFrame();
  host_.state.begin();
  gui_.messages->update(Clock::now());
  gui_.minimised = input_.size().width == 0;
  ImGui_ImplVulkan_NewFrame();
  ImGui::NewFrame();
  host_.state.seeInput(input_.given());
  gui_.draw(input_.chords());
  settleDialogs();
  ImGui::Render();
  input_.endFrame();
}

/// Takes the value of the pixel under the cursor. It arrives with the picture that should show it,
/// so another picture follows.
void MainLoop::takeProbed() {
  PointedPixel& pointed = gui_.model.pointed;
  const auto plane = pointed.probing;
  std::optional<ProbedPixel> probed;
  if (plane && renderer_->probed()) probed = ProbedPixel{*plane, *renderer_->probed()};
  if (probed == pointed.probed) return;
  pointed.probed = probed;
  if (probed) pacer_.changed();
}

void MainLoop::drawFrame() {
  const auto [width, height] = input_.size();
  renderer_->resize(width, height);
  const auto now = Clock::now();
  if (gui_.viewState.copied) renderer_->copyNext(gui_.scene.background);
  if (!renderer_->draw(gui_.scene)) {
    pacer_.notDrawn(now);
    // A minimised window counts as drawn, as there is nothing to draw into until it is shown again.
    if (width == 0) {
      pacer_.drawn(now);
      host_.state.write(gui_, pacer_.inputShown(), 1);
    }
    return;
  }
  pacer_.drawn(now);
  later_.reset();
  takeProbed();
  if (gui_.messages->drawn(Clock::now())) pacer_.changed();
  // A banner that is new or has other words only measures itself in its first picture, and needs
  // another one.
  const std::string& banner = gui_.panels.banner.words();
  if (banner != std::exchange(banner_, banner)) pacer_.changed();
  if (letters_ != furtherLetters().size()) pacer_.changed();
  gui_.model.timings.drawn.event(monotonicSeconds());
  if (gui_.model.shown.frame && !gui_.model.player.isLookingBack())
    gui_.model.timings.display.drawn(*gui_.model.shown.frame);
  host_.state.write(gui_, pacer_.inputShown(), renderer_->redrawn());
  if (gui_.viewState.copied) saveCopy();
}

}  // namespace glint::ui
