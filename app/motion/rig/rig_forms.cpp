#include "app/motion/rig/rig_forms.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace glint::motion {
namespace {

/// Returns a matrix in the form of FileStorage. fmt writes the shortest digits that are read back
/// as the same number.
std::string openCvMatrix(const std::string& name, const Eigen::MatrixXd& matrix) {
  std::string text =
      fmt::format("{}: !!opencv-matrix\n   rows: {}\n   cols: {}\n   dt: d\n   data: [ ", name,
                  matrix.rows(), matrix.cols());
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    std::string value = fmt::format("{}", matrix(i / matrix.cols(), i % matrix.cols()));
    if (value.find_first_of(".e") == std::string::npos) value += '.';
    text += (i > 0 ? ", " : "") + value;
  }
  return text + " ]\n";
}

}  // namespace

std::string openCvText(const RigFile& file) {
  std::string text = fmt::format("%YAML:1.0\n---\ncamera_count: {}\n", file.rig.cameras.size());
  for (size_t c = 0; c < file.rig.cameras.size(); ++c) {
    const RigCamera& camera = file.rig.cameras[c];
    const Lens& l = camera.lens;
    Eigen::Matrix3d matrix;
    matrix << l.fx, 0, l.cx, 0, l.fy, l.cy, 0, 0, 1;
    text += fmt::format("image_width_{0}: {1}\nimage_height_{0}: {2}\n", c, camera.width,
                        camera.height);
    text += openCvMatrix(fmt::format("camera_matrix_{}", c), matrix);
    text += openCvMatrix(fmt::format("distortion_coefficients_{}", c),
                         l.numbers().tail<5>().transpose());
    text += openCvMatrix(fmt::format("R_{}", c), camera.pose.matrix());
    text += openCvMatrix(fmt::format("T_{}", c), camera.pose.translation);
  }
  return text;
}

std::string colmapCameras(const RigFile& file) {
  std::string text = "# CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]\n";
  for (size_t c = 0; c < file.rig.cameras.size(); ++c) {
    const RigCamera& camera = file.rig.cameras[c];
    const Lens& l = camera.lens;
    text += fmt::format("{} FULL_OPENCV {} {} {} {} {} {} {} {} {} {} {} 0 0 0\n", c + 1,
                        camera.width, camera.height, l.fx, l.fy, l.cx + 0.5, l.cy + 0.5, l.k1, l.k2,
                        l.p1, l.p2, l.k3);
  }
  return text;
}

std::string colmapImages(const RigFile& file) {
  std::string text = "# IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME\n# POINTS2D[]\n";
  for (size_t c = 0; c < file.rig.cameras.size(); ++c) {
    const Pose& pose = file.rig.cameras[c].pose;
    const Eigen::Quaterniond q(pose.matrix());
    const Eigen::Vector3d& t = pose.translation;
    text += fmt::format("{0} {1} {2} {3} {4} {5} {6} {7} {0} {8}\n\n", c + 1, q.w(), q.x(), q.y(),
                        q.z(), t.x(), t.y(), t.z(), cameraKey(c, file.rig.cameras.size()));
  }
  return text;
}

std::string aniposeText(RigFile file) {
  file.rig.covariance = {};
  return rigText(file);
}

}  // namespace glint::motion
