// The window's module: a display, and the one window on it.

#define GLFW_INCLUDE_VULKAN
#include <GLFW/glfw3.h>

#include "app/shell/desk/window_interface.h"
#include "config/error.h"
#include "ui/key_file.h"
#include "ui/main_loop.h"

namespace glint::ui {
namespace {

std::string lastProblem;  // the last error that GLFW reported; main thread

void noteProblem(int, const char* text) {
  lastProblem = text;
}

class GlfwScreen : public shell::Screen {
 public:
  GlfwScreen() {
    glfwSetErrorCallback(noteProblem);
    if (!glfwInit()) {
      throw Error(
          "there is no display to open a window on (set DISPLAY or WAYLAND_DISPLAY); `glint track` "
          "does the same work without one");
    }
  }
  ~GlfwScreen() override {
    host_.window.reset();
    glfwTerminate();
  }

  void require(gpu::Device::Options& options) const override {
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

  void require(session::SessionOptions& options) override {
    host_.listeners = {};
    options.planes = planesFor(DisplayPlane::source);
    options.wantsPlanes = [this] { return FramePacer::Clock::now() >= host_.wanted.load(); };
    options.followsHistory = true;
    options.recentSeconds = Layout().recentSeconds;
    options.published = [this] { host_.wake(); };
    options.listeners.push_back(host_.listeners.trails);
    options.listeners.push_back(host_.listeners.rows);
    options.listeners.push_back(host_.listeners.latencies);
    options.listeners.push_back(host_.listeners.presence);
    options.listeners.push_back(host_.listeners.latest);
    options.listeners.push_back(host_.listeners.space);
    options.listeners.push_back(host_.listeners.target);
    options.listeners.push_back(host_.listeners.board);
  }

  std::optional<shell::Opening> run(const shell::WindowTask& task) override {
    host_.news = true;
    host_.wanted = FramePacer::Clock::time_point{};
    if (!task.project.empty())
      host_.files.addRecent({Address(task.project)});
    else if (!task.empty)
      host_.files.addRecent(task.sources);
    if (!host_.window) {
      host_.memory.saved = host_.files.load();
      host_.window.emplace("Glint", host_.memory.saved.window);
      for (const std::string& problem : takeKeysFrom(keyFile()))
        base::log(base::LogLevel::warning, problem);
    }
    host_.memory.begin(task);
    const auto next = MainLoop(task, host_).run();
    if (const std::string& saved = host_.memory.project; !saved.empty() && saved != task.project)
      host_.files.addRecent({Address(saved)});
    host_.memory.saved.window = host_.window->place();
    host_.files.save(host_.memory.saved);
    return next;
  }

 private:
  Host host_;
};

}  // namespace
}  // namespace glint::ui

glint::shell::Screen* glintOpenScreen() {
  return new glint::ui::GlfwScreen;
}
