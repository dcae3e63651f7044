// The module: a display, and the one window on it.
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#define GLFW_INCLUDE_VULKAN
#include <GLFW/glfw3.h>

#include "app/base/log.h"
#include "config/error.h"
#include "ui/main_loop.h"
#include "ui/model/module.h"

namespace glint::ui {
namespace {

std::string lastProblem;  // of GLFW; main thread

void noteProblem(int, const char* text) {
  lastProblem = text;
}

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
    listeners_ = {};
    options.planes = planesFor(DisplayPlane::source);
    options.wantsPlanes = [this] { return FramePacer::Clock::now() >= wanted_.load(); };
    options.published = [this] { wake(); };
    options.listeners.push_back(listeners_.trails);
    options.listeners.push_back(listeners_.rows);
    options.listeners.push_back(listeners_.latencies);
  }

  std::optional<std::vector<std::string>> run(const WindowTask& task) override {
    news_ = true;
    if (!task.empty) files_.addRecent(task.sources);
    if (!window_) open();
    wanted_ = FramePacer::Clock::time_point{};
    const auto next = MainLoop(
                          task, *window_, memory_, messages_, listeners_, [this] { wake(); },
                          [this] { return files_.recent(); }, state_, wanted_)
                          .run(news_);
    memory_.looks.window = window_->place();
    files_.save(memory_.looks);
    return next;
  }

 private:
  void open() {
    memory_.looks = files_.load();
    window_.emplace("Glint", memory_.looks.window);
  }

  /// Any thread. Once is enough until the window has looked.
  void wake() {
    if (!news_.exchange(true)) glfwPostEmptyEvent();
  }

  std::atomic<bool> news_ = false;
  std::atomic<FramePacer::Clock::time_point>
      wanted_{};                  // from when on planes of frames are to be drawn
  std::optional<Window> window_;  // kept for other sources, with its place, size and focus
  std::shared_ptr<Messages> messages_ = std::make_shared<Messages>();
  UserFiles files_{userFolders().state,
                   [](const std::string& problem) { log(LogLevel::warning, problem); }};
  Listeners listeners_;  // of the session that is shown
  WindowMemory memory_;
  UiState state_;
};

}  // namespace
}  // namespace glint::ui

glint::Screen* glintOpenScreen() {
  return new glint::ui::GlfwScreen;
}
