#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "app/base/log.h"
#include "app/base/paths.h"
#include "app/base/suffix.h"
#include "app/base/whole_file.h"
#include "app/motion/geometry/rotation.h"
#include "app/motion/rig/rig_file.h"
#include "app/motion/rig/rig_forms.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::shell {
namespace {

struct RigCommand {
  std::string rig, form, output;
  int camera = -1;
  std::vector<double> origin, up;
  double scale = 1;
};

/// Returns the standard deviations of the cameras' parameters; 0 for those that are not known.
Eigen::VectorXd sigmasOf(const motion::Rig& rig) {
  return motion::fullCovariance(rig).diagonal().cwiseMax(0).cwiseSqrt();
}

void show(const RigCommand& command, const motion::RigFile& file) {
  const motion::Rig& rig = file.rig;
  printText("{}: {}, lengths in {}{}{}\n", command.rig, counted(rig.cameras.size(), "camera"),
            file.unit, file.date.empty() ? "" : ", of " + file.date,
            file.method.empty() ? "" : ", by " + file.method);
  if (std::isfinite(file.error)) printText("mean error {:.3f} px\n", file.error);
  if (rig.exact)
    printText("exact\n");
  else if (rig.covariance.names.empty())
    printText("no covariance: how exact it is, is not known\n");
  else
    printText("covariance of {}\n", counted(rig.covariance.names.size(), "number"));
  const Eigen::VectorXd sigmas = sigmasOf(rig);
  for (size_t c = 0; c < rig.cameras.size(); ++c) {
    const motion::RigCamera& camera = rig.cameras[c];
    const motion::Lens& l = camera.lens;
    const Eigen::Vector3d at = camera.pose.centre();
    const Eigen::Vector3d ahead = camera.pose.matrix().row(2);
    const double sigma = sigmas[static_cast<Eigen::Index>(c) * motion::kCameraNumbers];
    printText("{} '{}' {}x{}: f ({:.2f}, {:.2f}){} px, centre ({:.2f}, {:.2f})\n",
              motion::cameraKey(c, rig.cameras.size()), camera.name, camera.width, camera.height,
              l.fx, l.fy, sigma > 0 ? fmt::format(" +- {:.2f}", sigma) : "", l.cx, l.cy);
    if (l.fisheye)
      printText("  fisheye, k1 {:.4f}, k2 {:.4f}, k3 {:.4f}, k4 {:.4f}\n", l.k1, l.k2, l.p1, l.p2);
    else
      printText("  k1 {:.4f}, k2 {:.4f}, p1 {:.5f}, p2 {:.5f}, k3 {:.4f}\n", l.k1, l.k2, l.p1, l.p2,
                l.k3);
    printText("  at ({:.1f}, {:.1f}, {:.1f}), looks along ({:.3f}, {:.3f}, {:.3f})", at.x(), at.y(),
              at.z(), ahead.x(), ahead.y(), ahead.z());
    if (camera.timeOffset != 0) printText(", {:.2f} ms off", 1e3 * camera.timeOffset);
    if (camera.readout != 0) printText(", reads its rows in {:.2f} ms", 1e3 * camera.readout);
    if (!file.orientations.empty() && file.orientations[c] != motion::kAsStored)
      printText(", pictures {}", file.orientations[c]);
    printText("\n");
  }
}

/// Returns the shortest rotation that turns a direction to the z axis.
Eigen::Vector3d uprightBy(const std::vector<double>& direction) {
  const Eigen::Vector3d up(direction.data());
  if (!(up.norm() > 0)) throw UsageError("--up 0,0,0 is not a direction");
  return motion::rodriguesOf(
      Eigen::Quaterniond::FromTwoVectors(up, Eigen::Vector3d::UnitZ()).toRotationMatrix());
}

/// Moves the rig as the options ask, in this order: takes a camera or a point as the origin, turns
/// the rig upright, and scales it.
void move(const RigCommand& command, motion::RigFile& file) {
  motion::Pose motion;
  if (command.camera >= 0) {
    if (static_cast<size_t>(command.camera) >= file.rig.cameras.size())
      throw UsageError("--camera {}: {} has cameras 0 to {}", command.camera, command.rig,
                       file.rig.cameras.size() - 1);
    motion = file.rig.cameras[static_cast<size_t>(command.camera)].pose;
  }
  if (!command.origin.empty()) motion.translation = -Eigen::Vector3d(command.origin.data());
  if (!command.up.empty())
    motion = motion::then(motion, {uprightBy(command.up), Eigen::Vector3d::Zero()});
  file.rig = motion::moved(file.rig, motion, command.scale);
  if (command.scale != 1) file.unit = "mm";
}

/// Returns the names of COLMAP's three files in its folder.
std::vector<std::string> colmapFiles(const RigCommand& command) {
  std::vector<std::string> files;
  for (const char* name : {"cameras.txt", "images.txt", "points3D.txt"})
    files.push_back((std::filesystem::path(command.output) / name).string());
  return files;
}

constexpr std::array<std::string_view, 3> kOpenCvSuffixes{".yml", ".yaml", ".xml"};
constexpr std::string_view kXmlSuffix = ".xml", kQualisysSuffix = ".qca.txt";

/// The formats by the names that --as has for them.
const std::map<std::string, motion::RigForm> kForms{{"anipose", motion::RigForm::anipose},
                                                    {"caliscope", motion::RigForm::caliscope},
                                                    {"opencv", motion::RigForm::opencv},
                                                    {"colmap", motion::RigForm::colmap},
                                                    {"qualisys", motion::RigForm::qualisys}};

void writeForm(const RigCommand& command, const motion::RigFile& file) {
  if (const auto form = kForms.find(command.form); form != kForms.end())
    if (const std::string lost = motion::rigLosses(file, form->second, command.output);
        !lost.empty())
      base::warn("{}", lost);
  if (command.form == "colmap") {
    base::makeFolder(command.output);
    const auto files = colmapFiles(command);
    base::writeWholeFile(files[0], motion::colmapCameras(file));
    base::writeWholeFile(files[1], motion::colmapImages(file));
    return base::writeWholeFile(files[2], "");
  }
  if (command.form == "opencv") {
    const bool xml = !base::longestSuffix(command.output, std::span(&kXmlSuffix, 1)).empty();
    return base::writeWholeFile(command.output, motion::openCvText(file, xml));
  }
  if (command.form == "qualisys")
    return base::writeWholeFile(command.output, motion::qualisysText(file));
  if (command.form == "caliscope")
    return base::writeWholeFile(command.output, motion::caliscopeText(file));
  if (command.form == "anipose")
    return base::writeWholeFile(command.output, motion::aniposeText(file));
  motion::writeRig(command.output, file);
}

void run(const RigCommand& command) {
  output::RunFiles files({command.rig});
  if (command.form == "colmap" && !command.output.empty()) files.writeFolder(command.output);
  files.write(command.form == "colmap" ? colmapFiles(command) : std::vector{command.output});
  if (command.form == "opencv")
    base::checkSuffix(command.output, "the rig", kOpenCvSuffixes);
  else if (command.form == "qualisys")
    base::checkSuffix(command.output, "the rig", kQualisysSuffix);
  else if (command.form != "colmap")
    base::checkSuffix(command.output, "the rig", ".toml");
  motion::RigFile file = motion::readRig(command.rig);
  for (const std::string& remark : file.remarks) base::warn("{}", remark);
  const bool moves =
      command.camera >= 0 || !command.origin.empty() || !command.up.empty() || command.scale != 1;
  if (command.output.empty()) {
    if (moves || !command.form.empty())
      throw UsageError("--as, --camera, --origin, --up and --scale need -o FILE");
    return show(command, file);
  }
  if (moves) move(command, file);
  writeForm(command, file);
}

}  // namespace

void addRigCommand(CLI::App& app) {
  const auto options = std::make_shared<RigCommand>();
  CLI::App* command = app.add_subcommand(
      "rig", "Describe a rig of cameras, move it, or write it in another format");
  addFile(*command, "rig", options->rig,
          "rig.toml from `glint calibrate`, or the rig of another program\nThese are read: TOML of "
          "aniposelib and caliscope, OpenCV's YAML and XML,\nQualisys' .qca.txt, and a folder with "
          "COLMAP's text model.")
      ->required();
  command
      ->add_option("--as", options->form,
                   "Format to write: anipose or caliscope (TOML), opencv (YAML or XML),\nqualisys "
                   "(.qca.txt) or colmap (a folder)")
      ->check(CLI::IsMember(
          std::vector<std::string>{"anipose", "caliscope", "opencv", "qualisys", "colmap"}));
  addFile(*command, "-o,--output", options->output, "File or folder to write", "FILE|FOLDER");
  const auto three = [&](const char* name, std::vector<double>& to, const char* about) {
    return addValue(*command, name, to, about, "X,Y,Z", kFinite)->delimiter(',')->expected(3);
  };
  auto* camera = addValue(*command, "--camera", options->camera,
                          "Make this camera's frame the world frame", "N", numberIn(0, 63));
  three("--origin", options->origin, "Make this point the origin, mm")->excludes(camera);
  three("--up", options->up, "Make this direction the z axis");
  addValue(*command, "--scale", options->scale,
           "Multiply all lengths by this factor; they then count as mm", "S", numberIn(1e-9, 1e9));
  command->callback([options] { run(*options); });
}

}  // namespace glint::shell
