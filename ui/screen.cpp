// The window's loop: events in, one picture out whenever something has changed.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define GLFW_INCLUDE_VULKAN
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_vulkan.h>

#include "app/base/log.h"
#include "app/desk/recording_meter.h"
#include "app/desk/settings_history.h"
#include "app/desk/user_files.h"
#include "app/export/image_writer.h"
#include "config/error.h"
#include "ui/context.h"
#include "ui/gui.h"
#include "ui/input.h"
#include "ui/module.h"
#include "ui/recording_formats.h"
#include "ui/renderer.h"
#include "ui/style.h"
#include "ui/timed_name.h"
#include "ui/window.h"

namespace glint::ui {
namespace {

using Clock = std::chrono::steady_clock;

/// Popups need a frame to measure themselves, and another one to be drawn.
constexpr int kFramesAfterInput = 3;

/// For a picture that is due: then planes of a newer frame are wanted anyway.
constexpr std::chrono::milliseconds kPatience{100};

std::string lastProblem;  // of GLFW; main thread

void noteProblem(int, const char* text) {
  lastProblem = text;
}

/// What makes the window draw, and when.
class Pace {
 public:
  explicit Pace(bool slowDevice) : slow_(slowDevice) {}

  void input() { owed_ = kFramesAfterInput; }
  /// Frames come as fast as can be: the device has better things to do than to draw.
  void hurry(bool on) { hurried_ = on; }
  void changed() { owed_ = std::max(owed_, 1); }
  bool wants() const { return owed_ > 0; }
  /// When the next picture may be drawn.
  Clock::time_point due() const { return last_ + interval(); }
  /// A picture was begun at `now`.
  void drawn(Clock::time_point now) {
    const Clock::duration cost = Clock::now() - now;
    cost_ = cost_.count() == 0 ? cost : (3 * cost_ + cost) / 4;
    // On the grid, so that the mean rate is that of the interval.
    last_ = now > due() && now - due() < interval() ? due() : now;
    --owed_;
  }
  void notDrawn(Clock::time_point now) { last_ = now; }

 private:
  /// On a CPU 30 a second, more while the user does something; elsewhere the screen sets the pace.
  Clock::duration interval() const {
    if (!slow_) return std::chrono::milliseconds(4);
    if (owed_ > 1) return std::chrono::milliseconds(16);
    // Where the CPU has much else to do, drawing must not hold up what is measured.
    if (hurried_)
      return std::clamp<Clock::duration>(20 * cost_, std::chrono::milliseconds(100),
                                         std::chrono::milliseconds(1000));
    return std::clamp<Clock::duration>(5 * cost_ / 2, std::chrono::milliseconds(33),
                                       std::chrono::milliseconds(200));
  }

  bool slow_, hurried_ = false;
  int owed_ = kFramesAfterInput;
  Clock::time_point last_{};
  Clock::duration cost_{};  // of a picture, of late
};

/// What outlives what is shown.
struct Kept {
  Remembered looks;                        ///< of the window
  std::optional<SettingsHistory> history;  ///< goes on with other sources
};

/// What the window shows of one session.
class Show {
 public:
  Show(const WindowTask& task, Window& window, Kept& kept, const Trails& trails,
       const Latencies& latencies, std::shared_ptr<const RowCounter> rows,
       std::shared_ptr<Messages> messages, const std::function<void()>& wake,
       std::atomic<Clock::time_point>& wanted)
      : task_(task),
        wanted_(wanted),
        window_(window),
        kept_(kept),
        input_(window_.handle()),
        messages_(std::move(messages)),
        player_(task, messages_, wake),
        draft_(player_, messages_, wake,
               kept.history.value_or(SettingsHistory(player_.state().settings, task.settingsFile))),
        recorded_(task.device, task.sources, wake),
        recordingState_(std::move(rows), task.outputs),
        context_{.task = task,
                 .player = player_,
                 .messages = *messages_,
                 .trails = trails,
                 .latencies = latencies,
                 .recorded = recorded_,
                 .draft = draft_,
                 .recordingState = recordingState_},
        pace_(task.device->info().type == "cpu") {
    context_.wake = wake;
    context_.slowDevice = task.device->info().type == "cpu";
    context_.overlay.smoothLines = !context_.slowDevice;
    recall();
    scale_ = wantedScale();
    applyStyle(scale_);
    renderer_ = std::make_unique<Renderer>(*task.device, window_.handle());
  }

  ~Show() {
    kept_.history = draft_.history();
    remember();
  }
  Show(const Show&) = delete;
  Show& operator=(const Show&) = delete;

  void setRecent(std::function<std::vector<std::vector<std::string>>()> recent) {
    context_.recent = std::move(recent);
    if (task_.empty) context_.welcomeRecent = context_.recent();
    constexpr size_t kMost = 6;
    if (context_.welcomeRecent.size() > kMost) context_.welcomeRecent.resize(kMost);
  }

  /// The session has something new.
  std::optional<std::vector<std::string>> run(std::atomic<bool>& news) {
    while (!leaves()) {
      waitForWork(news);
      takeNews(news);
      if (player_.state().mode == SessionState::Mode::ended) return {};
      if (auto dropped = input_.takeDropped(); !dropped.empty()) context_.open(std::move(dropped));
      followScale();
      bool built = false;
      for (; input_.pending(); built = true) buildFrame();
      if (!pace_.wants() || Clock::now() < pace_.due()) continue;
      if (!built) buildFrame();
      drawFrame();
      wanted_.store(context_.minimised ? Clock::time_point::max() : pace_.due());
    }
    return context_.next;
  }

 private:
  float wantedScale() const { return window_.scale() * static_cast<float>(context_.scale); }

  /// Letters and all else as large as the screen, which may be another one now, and the user want
  /// them.
  void followScale() {
    const float wanted = wantedScale();
    if (wanted == scale_) return;
    context_.sideWidth *= wanted / std::exchange(scale_, wanted);
    applyStyle(scale_);
    renderer_->renewFonts();
    pace_.input();
  }

  /// The window as it was left.
  void recall() {
    const Remembered& looks = kept_.looks;
    const auto number = [&](const char* name, auto& value) {
      if (const auto it = looks.numbers.find(name); it != looks.numbers.end())
        value = static_cast<std::remove_reference_t<decltype(value)>>(it->second);
    };
    const auto flag = [&](const char* name, bool& value) {
      if (const auto it = looks.switches.find(name); it != looks.switches.end()) value = it->second;
    };
    number("side_width", context_.sideWidth);
    number("trail_seconds", context_.overlay.trailSeconds);
    number("scale", context_.scale);
    flag("side", context_.side);
    flag("hint_seen", context_.hintSeen);
    flag("ids", context_.overlay.ids);
    flag("trails", context_.overlay.trails);
    flag("masks", context_.overlay.masks);
    if (const auto format = looks.texts.find("record_as"); format != looks.texts.end()) {
      const auto& all = recordingFormats();
      for (size_t i = 0; i < all.size(); ++i)
        if (all[i].name == format->second) context_.recordAs = i;
    }
    if (const auto tab = looks.texts.find("tab"); tab != looks.texts.end())
      context_.frontTab = tab->second;
    context_.sideWidth = std::clamp(context_.sideWidth, 0.0F, 4000.0F);
    context_.overlay.trailSeconds =
        std::clamp(context_.overlay.trailSeconds, 0.1, Trails::kMostSeconds);
    context_.scale = std::clamp(context_.scale, kLeastScale, kMostScale);
    if (const auto folder = looks.texts.find("folder"); folder != looks.texts.end())
      context_.chooser.start = folder->second;
  }

  void remember() {
    Remembered& looks = kept_.looks;
    looks.numbers["side_width"] = static_cast<double>(context_.sideWidth);
    looks.numbers["trail_seconds"] = context_.overlay.trailSeconds;
    looks.numbers["scale"] = context_.scale;
    looks.switches["side"] = context_.side;
    looks.switches["hint_seen"] = context_.hintSeen;
    looks.switches["ids"] = context_.overlay.ids;
    looks.switches["trails"] = context_.overlay.trails;
    looks.switches["masks"] = context_.overlay.masks;
    looks.texts["record_as"] = recordingFormats()[context_.recordAs].name;
    if (!context_.tab.empty()) looks.texts["tab"] = context_.tab;
    if (!context_.chooser.start.empty()) looks.texts["folder"] = context_.chooser.start;
  }

  /// Whether the window is to be left; where settings would be lost the user is asked first.
  bool leaves() {
    if (window_.closing()) {
      window_.stay();
      context_.quit = true;
    }
    if (!context_.quit) return false;
    if (context_.next && !draft_.applied()) return false;  // what is next begins with them
    if (context_.next || context_.leaving.allowed(context_)) return true;
    context_.quit = false;
    context_.leaving.ask();
    pace_.input();
    return false;
  }

  void waitForWork(const std::atomic<bool>& news) {
    std::optional<Clock::time_point> until = messages_->nextChange();
    if (pace_.wants()) until = pace_.due();
    if (news) {
      glfwPollEvents();
    } else if (!until) {
      glfwWaitEvents();
    } else {
      const double seconds = std::chrono::duration<double>(*until - Clock::now()).count();
      if (seconds > 0)
        glfwWaitEventsTimeout(seconds);
      else
        glfwPollEvents();
    }
    if (input_.pending()) pace_.input();
    if (input_.takeRefresh()) {
      renderer_->refresh();
      pace_.input();
    }
    if (const auto next = messages_->nextChange(); next && *next <= Clock::now()) pace_.changed();
  }

  void takeNews(std::atomic<bool>& news) {
    if (!news.exchange(false)) return;
    draft_.look();  // before the state is taken, which shows what was answered
    const bool settled = player_.settled();
    const auto state = task_.session.state();
    if (state->frame && state->frame != player_.state().frame)
      context_.passes.add(state->deviceTimes);
    const bool same = state->frame == player_.state().frame;
    player_.see(state, settled);
    const bool fresh = context_.shown.see(*state);
    if (fresh) wanted_.store(pace_.due() + kPatience);
    if (!task_.stills) recorded_.follow(*state);
    tellFailure(*state);
    if (player_.lastRecorded() != reported_) {
      reported_ = player_.lastRecorded();
      context_.reporting.remember(reported_);
    }
    // Frames that are played and not kept for drawing change nothing that another one will not.
    if (fresh || same || state->mode != SessionState::Mode::playing) pace_.changed();
    pace_.hurry(player_.playing() && player_.speed() == 0 && !state->live);
    const auto now = Clock::now();
    context_.processing.see(state->counts.frames, now);
    uint64_t delivered = 0;
    for (const auto& camera : state->cameras)
      delivered = std::max(delivered, camera.delivered + camera.dropped);
    context_.camera.see(delivered, now);
  }

  /// What has stopped the session, once.
  void tellFailure(const SessionState& state) {
    const bool failed = state.mode == SessionState::Mode::failed;
    if (failed && state.failure != failure_) messages_->fail(state.failure);
    failure_ = failed ? state.failure : "";
  }

  /// What is shown of the images, and what was found, as a file.
  void saveCopy() {
    context_.copiesView = false;
    pace_.input();
    const auto copy = renderer_->takeCopy();
    if (!copy) return messages_->fail("this screen lets nobody copy what it shows");
    try {
      const std::string name = timedName(".png");
      writePixels(name, copy->width, copy->height, copy->pixels);
      messages_->note("the view is in " + name);
    } catch (const Error& error) {
      messages_->fail(error.what());
    }
  }

  void buildFrame() {
    input_.beginFrame();
    messages_->update(Clock::now());
    context_.minimised = input_.size().width == 0;
    ImGui_ImplVulkan_NewFrame();
    ImGui::NewFrame();
    scene_ = {};
    drawGui(context_, input_.chords(), scene_);
    ImGui::Render();
    input_.endFrame();
  }

  void drawFrame() {
    const auto [width, height] = input_.size();
    renderer_->resize(width, height);
    const auto now = Clock::now();
    if (context_.copiesView) renderer_->copyNext(scene_.background);
    if (!renderer_->draw(scene_)) {
      pace_.notDrawn(now);
      if (width == 0) {  // nothing to draw into until it is shown again
        pace_.drawn(now);
        context_.driver.write();
      }
      return;
    }
    pace_.drawn(now);
    context_.display.see(++drawn_, now);
    if (context_.shown.frame) context_.lateness.drawn(*context_.shown.frame);
    context_.driver.write();
    if (context_.copiesView) saveCopy();
  }

  const WindowTask& task_;
  std::atomic<Clock::time_point>& wanted_;  // since when planes to draw are
  Window& window_;
  Kept& kept_;
  ImGuiLife life_;
  Input input_;
  std::shared_ptr<Messages> messages_;
  Player player_;
  SettingsDraft draft_;
  Recorded recorded_;
  RecordingState recordingState_;
  Context context_;
  std::unique_ptr<Renderer> renderer_;
  float scale_ = 1;  // of what is drawn
  Pace pace_;
  Scene scene_;
  uint64_t drawn_ = 0;
  std::string failure_, reported_;  // that were told
};

class GlfwScreen : public Screen {
 public:
  GlfwScreen() {
    glfwSetErrorCallback(noteProblem);
    if (!glfwInit()) {
      throw Error(
          "there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY tell where it is); "
          "`glint track` does the same work without one");
    }
  }
  ~GlfwScreen() override {
    window_.reset();
    glfwTerminate();
  }

  void require(Device::Options& options) const override {
    uint32_t count = 0;
    const char** names = glfwGetRequiredInstanceExtensions(&count);
    if (!names) {
      throw Error("no Vulkan driver here can draw into windows" +
                  (lastProblem.empty() ? "" : " (" + lastProblem + ")") +
                  "; `glint track` does the same work without one");
    }
    options.instanceExtensions.assign(names, names + count);
    options.deviceExtensions.emplace_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    options.canPresent = [](VkInstance instance, VkPhysicalDevice device, uint32_t family) {
      return glfwGetPhysicalDevicePresentationSupport(instance, device, family) == GLFW_TRUE;
    };
  }

  void require(SessionOptions& options) override {
    options.planes = planesFor(Shows::source);
    options.wantsPlanes = [this] { return Clock::now() >= wanted_.load(); };
    options.published = [this] { wake(); };
    options.listeners.push_back(trails_);
    options.listeners.push_back(rows_);
    options.listeners.push_back(latencies_);
  }

  std::optional<std::vector<std::string>> run(const WindowTask& task) override {
    news_ = true;
    if (!task.empty) files_.addRecent(task.sources);
    if (!window_) open();
    const auto next = show(task);
    kept_.looks.window = window_->place();
    files_.save(kept_.looks);
    return next;
  }

 private:
  void open() {
    kept_.looks = files_.load();
    window_.emplace("Glint", kept_.looks.window);
  }

  std::optional<std::vector<std::string>> show(const WindowTask& task) {
    wanted_ = Clock::time_point{};
    Show show(
        task, *window_, kept_, *trails_, *latencies_, rows_, messages_, [this] { wake(); },
        wanted_);
    show.setRecent([this] { return files_.recent(); });
    return show.run(news_);
  }

  /// Any thread. Once is enough until the window has looked.
  void wake() {
    if (!news_.exchange(true)) glfwPostEmptyEvent();
  }

  std::atomic<bool> news_ = false;
  std::atomic<Clock::time_point> wanted_{};  // from when on planes of frames are to be drawn
  std::optional<Window> window_;  // kept for other sources, with its place, size and focus
  std::shared_ptr<Messages> messages_ = std::make_shared<Messages>();
  UserFiles files_{stateFolder(),
                   [](const std::string& problem) { log(LogLevel::warning, problem); }};
  std::shared_ptr<Trails> trails_ = std::make_shared<Trails>();
  std::shared_ptr<RowCounter> rows_ = std::make_shared<RowCounter>();
  std::shared_ptr<Latencies> latencies_ = std::make_shared<Latencies>();
  Kept kept_;
};

}  // namespace
}  // namespace glint::ui

glint::Screen* glintOpenScreen() {
  return new glint::ui::GlfwScreen;
}
