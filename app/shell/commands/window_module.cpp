#include "app/shell/commands/window_module.h"

#include <algorithm>
#include <string>
#include <system_error>

#include <dlfcn.h>

#include "config/error.h"

namespace glint::shell {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWithoutWindow = "`glint track` does the same work without a window";

fs::path programFolder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path();
}

/// Returns the first of `places` that exists; empty if none does.
fs::path firstOf(std::initializer_list<fs::path> places) {
  std::error_code error;
  for (const fs::path& place : places)
    if (fs::exists(place, error)) return place;
  return {};
}

}  // namespace

std::unique_ptr<Screen> openScreen() {
  const fs::path here = programFolder();
  const fs::path file = firstOf(
      {here / "lib/glint/glint_window.so", here / ".." / GLINT_LIBDIR / "glint/glint_window.so"});
  if (file.empty())
    throw Error(std::string("this build of Glint has no window; ") + kWithoutWindow);
  // The module stays loaded, because objects that it made may outlive the window.
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    const char* reason = dlerror();
    throw Error("the window cannot be opened: " + std::string(reason ? reason : file.c_str()) +
                "; " + kWithoutWindow);
  }
  using Open = Screen* (*)();
  const auto open = reinterpret_cast<Open>(dlsym(module, "glintOpenScreen"));
  if (!open)
    throw Error("'" + file.string() +
                "' is not the window of this Glint; install both from one build");
  return std::unique_ptr<Screen>(open());
}

fs::path bundledClip() {
  const fs::path here = programFolder();
  fs::path clip = firstOf({here / ".." / GLINT_DATADIR / "glint/dancer.mp4", GLINT_SOURCE_CLIP});
  if (clip.empty())
    throw Error("the bundled recording dancer.mp4 is missing; give one: glint replay SOURCE");
  return clip;
}

Opening bundledScene() {
  Opening scene;
  try {
    const fs::path folder = fs::weakly_canonical(bundledClip().parent_path());
    for (int camera = 0; camera < 4; ++camera)
      scene.sources.emplace_back(
          (folder / ("stage_cam" + std::to_string(camera) + ".mp4")).string());
    scene.rig = folder / "stage.rig.toml";
  } catch (const Error&) {
    return {};
  }
  const bool there =
      fs::exists(scene.rig) && std::ranges::all_of(scene.sources, [](const Address& file) {
        return fs::exists(file.shown());
      });
  return there ? scene : Opening();
}

fs::path workflowFolder() {
  const fs::path here = programFolder();
  const fs::path rules =
      firstOf({here / ".." / GLINT_DATADIR / "glint/workflow/Snakefile", GLINT_SOURCE_WORKFLOW});
  if (rules.empty())
    throw Error("the workflow for many recordings is missing; install Glint again");
  return fs::canonical(rules).parent_path();
}

}  // namespace glint::shell
