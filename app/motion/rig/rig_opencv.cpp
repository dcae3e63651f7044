// OpenCV's FileStorage.
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <opencv2/core.hpp>

#include "app/motion/rig/rig_forms.h"
#include "app/motion/rig/rig_import.h"
#include "app/motion/rig/rig_parts.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::motion {
namespace {

/// Reads one camera's entries of the file, whose names end in `suffix`: "_2", or nothing.
class OpenCvCamera {
 public:
  OpenCvCamera(const cv::FileStorage& storage, std::string suffix, const std::string& file)
      : storage_(storage), suffix_(std::move(suffix)), file_(file) {}

  bool has(const std::string& name) const { return !node(name).empty(); }

  RigCamera read() const {
    RigCamera camera;
    camera.name = node("name").isString() ? fromUtf8(node("name").string())
                                          : "cam" + (suffix_.empty() ? "_0" : suffix_);
    setSize(camera, number("image_width"), number("image_height"), place());
    const auto matrix = numbers("camera_matrix", {9});
    setMatrix(camera, std::span<const double, 9>(matrix), place());
    camera.lens.fisheye = isFisheye();
    setDistortion(camera, numbers("distortion_coefficients", {4, 5, 8, 12, 14}), place());
    return camera;
  }

  Pose pose() const {
    const auto rotation = numbers("R", {3, 9}), translation = numbers("T", {3});
    Pose pose;
    pose.translation = Eigen::Vector3d(translation.data());
    pose.rotation =
        rotation.size() == 3
            ? Eigen::Vector3d(rotation.data())
            : rotationVector(Eigen::Matrix<double, 3, 3, Eigen::RowMajor>(rotation.data()),
                             place());
    return pose;
  }

  double time() const { return has("time_offset_s") ? number("time_offset_s") : 0; }

  std::string place() const {
    return suffix_.empty() ? file_ + ": the camera"
                           : fmt::format("{}: camera {}", file_, suffix_.substr(1));
  }

 private:
  cv::FileNode node(const std::string& name) const { return storage_[name + suffix_]; }

  /// Returns true if the file says so of this camera, or of all. OpenCV's own calibration sample
  /// writes fisheye_model.
  bool isFisheye() const {
    for (const char* key : {"fisheye_model", "fisheye"})
      for (const cv::FileNode& found : {node(key), storage_[key]})
        if ((found.isInt() || found.isReal()) && found.real() != 0) return true;
    return false;
  }

  double number(const std::string& name) const {
    const cv::FileNode found = node(name);
    if (!found.isInt() && !found.isReal())
      throw Error(fmt::format("{} has no number {}{}", place(), name, suffix_));
    const double value = found.real();
    if (!std::isfinite(value))
      throw Error(fmt::format("{} has a {}{} that is not finite", place(), name, suffix_));
    return value;
  }

  /// Returns the elements of a matrix, row after row, which must be as many as one of `counts`.
  std::vector<double> numbers(const std::string& name, std::initializer_list<size_t> counts) const {
    const cv::FileNode found = node(name);
    std::vector<double> values;
    if (found.isMap() && found["data"].isSeq())
      for (const cv::FileNode& each : found["data"]) {
        if (!each.isInt() && !each.isReal()) break;
        values.push_back(each.real());
        if (values.size() > kMostNumbers) break;
      }
    const bool fits = std::ranges::find(counts, values.size()) != counts.end();
    if (!fits || !std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
      throw Error(fmt::format("{} has no matrix {}{} of finite numbers in the right count", place(),
                              name, suffix_));
    return values;
  }

  static constexpr size_t kMostNumbers = 14;

  const cv::FileStorage& storage_;
  std::string suffix_;
  const std::string& file_;
};

RigFile rigOf(const cv::FileStorage& storage, const std::string& name) {
  RigFile file;
  const OpenCvCamera only(storage, "", name);
  if (only.has("camera_matrix")) {
    file.rig.cameras.push_back(only.read());
    if (only.has("R") || only.has("T")) file.rig.cameras[0].pose = only.pose();
  }
  for (size_t c = 0; file.rig.cameras.size() == c; ++c) {
    const OpenCvCamera next(storage, fmt::format("_{}", c), name);
    if (!next.has("camera_matrix")) break;
    if (c == kMostRigCameras)
      throw Error(fmt::format("{} has more than {} cameras", name, kMostRigCameras));
    file.rig.cameras.push_back(next.read());
    file.rig.cameras.back().pose = next.pose();
    file.rig.cameras.back().timeOffset = next.time();
  }
  if (file.rig.cameras.empty())
    throw Error(fmt::format("{} has neither camera_matrix nor camera_matrix_0", name));
  if (const cv::FileNode count = storage["camera_count"];
      count.isInt() && count.real() != static_cast<double>(file.rig.cameras.size()))
    throw Error(fmt::format("{}: camera_count is {}, but it has {}", name, count.real(),
                            counted(file.rig.cameras.size(), "camera")));
  if (const cv::FileNode unit = storage["unit"]; unit.isString())
    file.unit = unit.string();
  else
    file.remarks.push_back(fmt::format("{} does not say its unit of length: mm are assumed", name));
  return file;
}

}  // namespace

RigFile readOpenCvRig(const std::string& text, const std::string& name) {
  if (text.find('\0') != text.npos) throw Error(fmt::format("{} is no text", name));
  try {
    const cv::FileStorage storage(text, cv::FileStorage::READ | cv::FileStorage::MEMORY);
    if (!storage.isOpened()) throw Error(fmt::format("{} is no file of OpenCV's", name));
    return rigOf(storage, name);
  } catch (const cv::Exception& error) {
    throw Error(fmt::format("{}: OpenCV cannot read it: {}", name, printable(error.err)));
  }
}

std::string openCvText(const RigFile& file, bool xml) {
  cv::FileStorage storage(xml ? "rig.xml" : "rig.yml",
                          cv::FileStorage::WRITE | cv::FileStorage::MEMORY);
  storage << "camera_count" << static_cast<int>(file.rig.cameras.size()) << "unit" << file.unit;
  for (size_t c = 0; c < file.rig.cameras.size(); ++c) {
    const RigCamera& camera = file.rig.cameras[c];
    const Lens& l = camera.lens;
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> turned = camera.pose.matrix();
    const auto key = [&](const char* name) { return fmt::format("{}_{}", name, c); };
    storage << key("name") << toUtf8(camera.name);
    storage << key("image_width") << camera.width << key("image_height") << camera.height;
    storage << key("camera_matrix") << cv::Mat(cv::Matx33d(l.fx, 0, l.cx, 0, l.fy, l.cy, 0, 0, 1));
    storage << key("distortion_coefficients") << cv::Mat(coefficientsOf(l)).t();
    if (l.fisheye) storage << key("fisheye_model") << 1;
    storage << key("R") << cv::Mat(cv::Matx33d(turned.data()));
    storage << key("T") << cv::Mat(cv::Matx31d(camera.pose.translation.data()));
    if (camera.timeOffset != 0) storage << key("time_offset_s") << camera.timeOffset;
  }
  return storage.releaseAndGetString();
}

}  // namespace glint::motion
