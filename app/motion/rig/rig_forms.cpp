#include "app/motion/rig/rig_forms.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/motion/rig/rig_parts.h"
#include "config/toml_value.h"

namespace glint::motion {

std::string aniposeText(RigFile file) {
  file.rig.covariance = {};
  return rigText(file);
}

std::string caliscopeText(const RigFile& file) {
  constexpr double kMmPerMetre = 1000;
  std::string text;
  for (size_t c = 0; c < file.rig.cameras.size(); ++c) {
    const RigCamera& camera = file.rig.cameras[c];
    const Lens& l = camera.lens;
    const Eigen::Matrix3d r = camera.pose.matrix();
    const Eigen::Vector3d t = camera.pose.translation / kMmPerMetre;
    const auto list = [](const std::vector<double>& values) {
      std::vector<std::string> all;
      for (const double value : values) all.push_back(tomlNumber(value));
      return fmt::format("[{}]", fmt::join(all, ", "));
    };
    text += fmt::format(
        "[cameras.{0}]\ncam_id = {0}\nsize = [{1}, {2}]\nrotation_count = 0\nignore = false\n"
        "fisheye = {11}\nmatrix = [{3}, {4}, {5}]\ndistortions = {6}\nrotation = [{7}, {8}, {9}]\n"
        "translation = {10}\n\n",
        c, camera.width, camera.height, list({l.fx, 0, l.cx}), list({0, l.fy, l.cy}),
        list({0, 0, 1}), list(coefficientsOf(l)), list({r(0, 0), r(0, 1), r(0, 2)}),
        list({r(1, 0), r(1, 1), r(1, 2)}), list({r(2, 0), r(2, 1), r(2, 2)}),
        list({t.x(), t.y(), t.z()}), l.fisheye);
  }
  return text;
}

std::string rigLosses(const RigFile& file, RigForm form, const std::string& path) {
  std::vector<std::string> lost;
  const auto& cameras = file.rig.cameras;
  if (!file.rig.covariance.names.empty()) lost.emplace_back("the covariance");
  const bool late =
      std::ranges::any_of(cameras, [](const RigCamera& camera) { return camera.timeOffset != 0; });
  if (late && form != RigForm::anipose && form != RigForm::opencv)
    lost.emplace_back("time offsets");
  if (form != RigForm::anipose &&
      std::ranges::any_of(cameras, [](const RigCamera& camera) { return camera.readout != 0; }))
    lost.emplace_back("rolling shutters");
  if (form == RigForm::caliscope || form == RigForm::colmap)
    for (size_t c = 0; c < cameras.size(); ++c)
      if (cameras[c].name != cameraKey(c, cameras.size())) {
        lost.emplace_back("the names of cameras");
        break;
      }
  if (file.unit != "mm" && (form == RigForm::caliscope || form == RigForm::qualisys))
    lost.push_back(fmt::format("that lengths are in {} (they count as {})", file.unit,
                               form == RigForm::caliscope ? "m" : "mm"));
  if (lost.empty()) return {};
  const std::string last = lost.back();
  lost.pop_back();
  return fmt::format("{} cannot hold {}{}{}", path, fmt::join(lost, ", "),
                     lost.empty() ? "" : " and ", last);
}

}  // namespace glint::motion
