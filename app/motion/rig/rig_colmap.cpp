// COLMAP's text model (colmap.github.io/format.html).
#include <cmath>
#include <map>
#include <set>
#include <span>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/text.h"
#include "app/motion/geometry/rotation.h"
#include "app/motion/rig/rig_forms.h"
#include "app/motion/rig/rig_import.h"
#include "app/motion/rig/rig_parts.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::motion {
namespace {

constexpr std::string_view kUnitComment = "# UNIT ";

/// The lines of a file, with their numbers.
class ColmapLines {
 public:
  ColmapLines(std::string_view text, std::string name) : rest_(text), name_(std::move(name)) {}

  /// Steps to the next line; returns false behind the last one. `any`: a comment or an empty line
  /// counts, too.
  bool next(bool any = false) {
    while (!rest_.empty()) {
      const size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      if (line_.starts_with(kUnitComment)) unit_ = line_.substr(kUnitComment.size());
      if (any || (!line_.empty() && !line_.starts_with('#'))) return true;
    }
    return false;
  }

  std::vector<std::string> words() const {
    std::vector<std::string> all;
    for (std::string_view left = line_; !left.empty();) {
      const size_t end = std::min(left.find_first_of(" \t"), left.size());
      if (end > 0) all.emplace_back(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
    return all;
  }

  std::string place() const { return fmt::format("{}, line {}:", name_, number_); }
  const std::string& unit() const { return unit_; }

  /// Returns the words from `first` to before `last` as finite numbers.
  std::vector<double> numbers(const std::vector<std::string>& words, size_t first,
                              size_t last) const {
    std::vector<double> values;
    for (size_t i = first; i < last; ++i) {
      const auto value = base::parseNumber<double>(words[i]);
      if (!value) throw Error(fmt::format("{} \"{}\" is no number", place(), printable(words[i])));
      values.push_back(*value);
    }
    return values;
  }

 private:
  std::string_view rest_, line_;
  std::string name_, unit_;
  size_t number_ = 0;
};

/// A camera model of COLMAP: where OpenCV's parameters fx, fy, cx, cy, k1, k2, p1, p2, k3, k4, k5
/// and k6 are among its own; -1: they are 0.
struct ColmapModel {
  std::string_view name;
  size_t count;
  std::array<int, 12> at;
};

constexpr std::string_view kColmapFisheye = "OPENCV_FISHEYE";

constexpr std::array<ColmapModel, 7> kColmapModels{{
    {"SIMPLE_PINHOLE", 3, {0, 0, 1, 2, -1, -1, -1, -1, -1, -1, -1, -1}},
    {"PINHOLE", 4, {0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1}},
    {"SIMPLE_RADIAL", 4, {0, 0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1}},
    {"RADIAL", 5, {0, 0, 1, 2, 3, 4, -1, -1, -1, -1, -1, -1}},
    {"OPENCV", 8, {0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1}},
    // The coefficients of a fisheye are k1 to k4.
    {kColmapFisheye, 8, {0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1}},
    {"FULL_OPENCV", 12, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
}};

const ColmapModel& modelNamed(const std::string& name, const std::string& place) {
  for (const ColmapModel& model : kColmapModels)
    if (model.name == name) return model;
  const bool fisheye = name.find("FISHEYE") != name.npos || name == "FOV";
  throw Error(
      fmt::format("{} the model {} {}", place, printable(name),
                  fisheye ? "is another fisheye than OPENCV_FISHEYE, which Glint does not support"
                          : "is none that Glint knows"));
}

std::map<std::string, RigCamera> colmapLenses(const std::string& text, const std::string& name) {
  std::map<std::string, RigCamera> lenses;
  ColmapLines lines(text, name);
  while (lines.next()) {
    const std::vector<std::string> words = lines.words();
    if (words.size() < 4)
      throw Error(fmt::format("{} CAMERA_ID, MODEL, WIDTH and HEIGHT are expected", lines.place()));
    const ColmapModel& model = modelNamed(words[1], lines.place());
    if (words.size() != 4 + model.count)
      throw Error(fmt::format("{} the model {} has {}, not {}", lines.place(), model.name,
                              counted(model.count, "parameter"), words.size() - 4));
    const std::vector<double> size = lines.numbers(words, 2, 4),
                              given = lines.numbers(words, 4, words.size());
    std::array<double, 12> all{};
    for (size_t i = 0; i < all.size(); ++i)
      if (model.at[i] >= 0) all[i] = given[static_cast<size_t>(model.at[i])];
    RigCamera camera;
    setSize(camera, size[0], size[1], lines.place());
    // There, the centre of the top-left pixel is (0.5, 0.5).
    setMatrix(camera,
              std::array{all[0], 0.0, all[2] - 0.5, 0.0, all[1], all[3] - 0.5, 0.0, 0.0, 1.0},
              lines.place());
    camera.lens.fisheye = model.name == kColmapFisheye;
    setDistortion(camera, std::span(all).subspan(4), lines.place());
    if (!lenses.emplace(words[0], camera).second)
      throw Error(
          fmt::format("{} the camera {} is there twice", lines.place(), printable(words[0])));
  }
  return lenses;
}

Pose colmapPose(const std::vector<double>& numbers, const std::string& place) {
  const Eigen::Quaterniond q(numbers[0], numbers[1], numbers[2], numbers[3]);
  if (!(std::abs(q.norm() - 1) < 1e-3))
    throw Error(fmt::format("{} the rotation is no unit quaternion", place));
  return {rodriguesOf(q.normalized().toRotationMatrix()),
          Eigen::Vector3d(numbers[4], numbers[5], numbers[6])};
}

}  // namespace

RigFile readColmapRig(const std::string& cameras, const std::string& images,
                      const std::string& folder) {
  const auto lenses = colmapLenses(cameras, folder + "/cameras.txt");
  ColmapLines lines(images, folder + "/images.txt");
  std::map<double, RigCamera> byId;
  while (lines.next()) {
    const std::vector<std::string> words = lines.words();
    if (words.size() < 10)
      throw Error(
          fmt::format("{} IMAGE_ID, a quaternion, a translation, CAMERA_ID and NAME are "
                      "expected",
                      lines.place()));
    const std::vector<double> numbers = lines.numbers(words, 0, 8);
    const auto lens = lenses.find(words[8]);
    if (lens == lenses.end())
      throw Error(
          fmt::format("{} cameras.txt has no camera {}", lines.place(), printable(words[8])));
    RigCamera camera = lens->second;
    camera.pose = colmapPose({numbers.begin() + 1, numbers.end()}, lines.place());
    camera.name = fromUtf8(words[9]);
    for (size_t i = 10; i < words.size(); ++i) camera.name += ' ' + words[i];
    if (!byId.emplace(numbers[0], std::move(camera)).second)
      throw Error(fmt::format("{} the image {} is there twice", lines.place(), numbers[0]));
    if (byId.size() > kMostRigCameras)
      throw Error(fmt::format("{} has more than {} images: a rig is a model of one moment", folder,
                              kMostRigCameras));
    lines.next(true);  // the points of the image
  }
  if (byId.empty()) throw Error(fmt::format("{}/images.txt has no image", folder));
  RigFile file;
  for (auto& [id, camera] : byId) file.rig.cameras.push_back(std::move(camera));
  file.unit = lines.unit().empty() ? "arbitrary" : lines.unit();
  file.method = "COLMAP";
  return file;
}

std::string colmapCameras(const RigFile& file) {
  std::string text = "# CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]\n";
  for (size_t c = 0; c < file.rig.cameras.size(); ++c) {
    const RigCamera& camera = file.rig.cameras[c];
    const Lens& l = camera.lens;
    text += fmt::format("{} {} {} {} {} {} {} {} {}{}\n", c + 1,
                        l.fisheye ? kColmapFisheye : "FULL_OPENCV", camera.width, camera.height,
                        l.fx, l.fy, l.cx + 0.5, l.cy + 0.5, fmt::join(coefficientsOf(l), " "),
                        l.fisheye ? "" : " 0 0 0");
  }
  return text;
}

std::string colmapImages(const RigFile& file) {
  std::string text =
      fmt::format("# IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME\n# POINTS2D[]\n{}{}\n",
                  kUnitComment, file.unit);
  for (size_t c = 0; c < file.rig.cameras.size(); ++c) {
    const Pose& pose = file.rig.cameras[c].pose;
    const Eigen::Quaterniond q(pose.matrix());
    const Eigen::Vector3d& t = pose.translation;
    text += fmt::format("{0} {1} {2} {3} {4} {5} {6} {7} {0} {8}\n\n", c + 1, q.w(), q.x(), q.y(),
                        q.z(), t.x(), t.y(), t.z(), cameraKey(c, file.rig.cameras.size()));
  }
  return text;
}

}  // namespace glint::motion
