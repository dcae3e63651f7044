#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/capture/source/control_requests.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/source_kinds.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "config/error.h"
#include "config/setting_key.h"

namespace glint::shell {
namespace {

using Json = nlohmann::ordered_json;

struct CamerasOptions {
  std::string name;
  bool controls = false, json = false, findExposure = false;
};

Json toJson(const capture::CameraControl& control) {
  using Kind = capture::CameraControl::Kind;
  const char* kind = control.kind == Kind::number  ? "number"
                     : control.kind == Kind::onOff ? "switch"
                                                   : "menu";
  Json json{
      {"name", control.name},           {"label", control.label},       {"kind", kind},
      {"min", control.least},           {"max", control.most},          {"step", control.step},
      {"default", control.initial},     {"value", control.value},       {"unit", control.unit},
      {"automatic", control.automatic}, {"read_only", control.readOnly}};
  if (control.kind == Kind::menu) {
    Json& menu = json["menu"] = Json::array();
    for (const auto& [value, item] : control.menu)
      menu.push_back({{"value", value}, {"name", item}});
  }
  return json;
}

Json toJson(const capture::CameraInfo& camera) {
  Json modes = Json::array(), controls = Json::array();
  for (const capture::CameraMode& mode : camera.modes) {
    modes.push_back({{"format", mode.format},
                     {"usable", mode.usable},
                     {"width", mode.width},
                     {"height", mode.height},
                     {"rates", mode.rates}});
  }
  for (const capture::CameraControl& control : camera.controls) controls.push_back(toJson(control));
  return {{"source", camera.source},
          {"path", camera.path},
          {"name", camera.name},
          {"driver", camera.driver},
          {"bus", camera.bus},
          {"modes", modes},
          {"controls", controls},
          {"holder", camera.holder.empty() ? Json() : Json(camera.holder)},
          {"problem", camera.problem.empty() ? Json() : Json(camera.problem)}};
}

/// Returns a mode in words: "640x480: 30, 15 frames/s".
std::string describe(const capture::CameraMode& mode) {
  std::string rates;
  for (const double rate : mode.rates)
    rates += fmt::format("{}{:.4g}", rates.empty() ? ": " : ", ", rate);
  return fmt::format("{}x{}{}{}", mode.width, mode.height, rates, rates.empty() ? "" : " frames/s");
}

std::string describe(const capture::CameraControl& control) {
  std::string range;
  if (control.kind == capture::CameraControl::Kind::number) {
    range = capture::rangeInWords(control.least, control.most, control.unit);
    if (control.step != 1) range += fmt::format(" in steps of {}", control.step);
  } else if (control.kind == capture::CameraControl::Kind::onOff) {
    range = "0 or 1";
  } else {
    for (const auto& [value, item] : control.menu)
      range += fmt::format("{}{} ({})", range.empty() ? "" : ", ", value, item);
  }
  return fmt::format("{} = {}  {}{}{}; default {}", control.name, control.value, range,
                     control.automatic ? "; now set by the camera itself" : "",
                     control.readOnly ? "; cannot be set" : "", control.initial);
}

void printCamera(const capture::CameraInfo& camera, bool controls) {
  printText("{}  {}\n", camera.source, camera.name.empty() ? camera.path : camera.name);
  if (!camera.problem.empty()) {
    printText("  {}\n", camera.problem);
    return;
  }
  if (!camera.holder.empty()) printText("  in use by {}\n", camera.holder);
  if (camera.driver.empty()) return;  // the camera was not opened
  printText("  {}, driver {}, at {}\n", camera.path, camera.driver, camera.bus);
  std::string format;
  for (const capture::CameraMode& mode : camera.modes) {
    if (mode.format != format)
      printText("  {}{}\n", mode.format, mode.usable ? "" : "  (cannot be read)");
    format = mode.format;
    printText("    {}\n", describe(mode));
  }
  if (!controls) {
    printText("  {} controls: glint cameras {} --controls\n", camera.controls.size(),
              camera.source);
    return;
  }
  for (const capture::CameraControl& control : camera.controls)
    printText("  {}\n", describe(control));
}

bool isNamed(const capture::CameraInfo& camera, const std::string& name) {
  const auto in = [&](const std::string& text) { return text.find(name) != std::string::npos; };
  return camera.source == name || camera.path == name || in(camera.name) || in(camera.bus);
}

/// Opens the camera and reads until it has found an exposure, which the camera keeps.
void findExposure(const std::string& source) {
  constexpr std::chrono::seconds kLongest{60};
  Settings::Camera request;
  request.exposure = capture::kFindExposure;
  capture::Interrupt interrupt;
  const auto camera = capture::openSource(Address(source), &interrupt, request);
  capture::FrameBuffer buffer(camera->format());
  const auto end = std::chrono::steady_clock::now() + kLongest;
  while (std::chrono::steady_clock::now() < end) {
    const capture::Reading reading = camera->read(buffer.view());
    if (reading.state == gpu::CameraState::lost) throw Error(reading.problem);
    for (const capture::SourceFact& fact : camera->facts())
      if (fact.name == capture::kFoundExposure)
        return printText("{}={}\n", "camera.exposure"_key, fact.value);
  }
  throw Error("'{}' sends too few frames to find an exposure", source);
}

void listThem(const CamerasOptions& options) {
  if (options.findExposure && options.name.empty())
    throw UsageError("--find-exposure needs the name of one camera");
  std::string name = options.name;
  const capture::SourceKind& kind = capture::sourceKindOf(name);
  if (options.findExposure && kind.network) return findExposure(name);
  std::vector<capture::CameraInfo> cameras = capture::listCameras(name);
  if (!name.empty()) {
    const auto any = [&] {
      return std::ranges::any_of(
          cameras, [&](const capture::CameraInfo& camera) { return isNamed(camera, name); });
    };
    if (!any() && kind.sort == capture::SourceKind::Sort::camera) name.erase(0, name.find(':') + 1);
    if (!any()) {
      throw Error("there is no camera '{}'; `glint cameras` lists the cameras", options.name);
    }
    std::erase_if(cameras,
                  [&](const capture::CameraInfo& camera) { return !isNamed(camera, name); });
    // A camera that was named is also opened if it is in use.
    for (capture::CameraInfo& camera : cameras)
      if (!camera.holder.empty()) capture::inspectCamera(camera);
  }
  if (options.findExposure) return findExposure(cameras.front().source);
  if (options.json) {
    Json all = Json::array();
    for (const capture::CameraInfo& camera : cameras) all.push_back(toJson(camera));
    const Json json{{"cameras", all}};
    printText("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
    return;
  }
  if (cameras.empty()) printText("no camera is plugged in\n");
  for (const capture::CameraInfo& camera : cameras) printCamera(camera, options.controls);
}

}  // namespace

void addCamerasCommand(CLI::App& app) {
  const auto options = std::make_shared<CamerasOptions>();
  CLI::App* command = app.add_subcommand("cameras", "List cameras with their formats and controls");
  addValue(*command, "name", options->name,
           "List only this camera: camera:0, its path, or part of its name", "NAME");
  command->add_flag("--controls", options->controls,
                    "List every control, such as exposure and gain, with its range and unit");
  command->add_flag("--find-exposure", options->findExposure,
                    "Find the exposure at which only markers are bright, and print it");
  command->add_flag("--json", options->json, "Print JSON instead of text");
  command->callback([options] { listThem(*options); });
}

}  // namespace glint::shell
