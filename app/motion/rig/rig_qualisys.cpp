// Qualisys Track Manager's exported calibration (.qca.txt).
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include <expat.h>
#include <fmt/format.h>

#include "app/base/text.h"
#include "app/motion/rig/rig_forms.h"
#include "app/motion/rig/rig_import.h"
#include "app/motion/rig/rig_parts.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::motion {
namespace {

using Attributes = std::map<std::string, std::string>;

/// The elements of one camera, by name.
using QualisysCamera = std::map<std::string, Attributes>;

/// Reads the elements of the cameras.
class CalibrationParser {
 public:
  explicit CalibrationParser(std::string name)
      : name_(std::move(name)), parser_(XML_ParserCreate(nullptr)) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetStartElementHandler(
        parser_.get(), [](void* self, const XML_Char* element, const XML_Char** attributes) {
          static_cast<CalibrationParser*>(self)->begin(element, attributes);
        });
    // No element of a calibration needs an entity, and nested ones take any amount of memory.
    XML_SetEntityDeclHandler(
        parser_.get(), [](void* self, const XML_Char*, int, const XML_Char*, int, const XML_Char*,
                          const XML_Char*, const XML_Char*, const XML_Char*) {
          XML_StopParser(static_cast<CalibrationParser*>(self)->parser_.get(), XML_FALSE);
        });
  }

  std::vector<QualisysCamera> read(const std::string& text) {
    if (XML_Parse(parser_.get(), text.data(), static_cast<int>(text.size()), true) != XML_STATUS_OK)
      throw Error(fmt::format("{}, line {}: {}", name_, XML_GetCurrentLineNumber(parser_.get()),
                              XML_ErrorString(XML_GetErrorCode(parser_.get()))));
    return std::move(cameras_);
  }

 private:
  void begin(const XML_Char* name, const XML_Char** pairs) {
    const std::string element = name;
    if (element == "camera") cameras_.emplace_back();
    if (cameras_.empty()) return;
    Attributes& to = cameras_.back()[element];
    for (; pairs[0] != nullptr; pairs += 2) to[pairs[0]] = pairs[1];
  }

  struct Free {
    void operator()(XML_ParserStruct* parser) const { XML_ParserFree(parser); }
  };
  std::string name_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::vector<QualisysCamera> cameras_;
};

/// The numbers of one camera.
class QualisysNumbers {
 public:
  QualisysNumbers(const QualisysCamera& camera, std::string place)
      : camera_(camera), place_(std::move(place)) {}

  std::optional<std::string> text(const std::string& element, const std::string& name) const {
    const auto found = camera_.find(element);
    if (found == camera_.end()) return std::nullopt;
    const auto attribute = found->second.find(name);
    return attribute == found->second.end() ? std::nullopt : std::optional(attribute->second);
  }

  double number(const std::string& element, const std::string& name) const {
    const auto value = base::parseNumber<double>(text(element, name).value_or(""));
    if (!value) throw Error(fmt::format("{} has no number {} of its {}", place_, name, element));
    return *value;
  }

  const std::string& place() const { return place_; }

 private:
  const QualisysCamera& camera_;
  std::string place_;
};

/// Returns how many units of its own the calibration has for a pixel along an axis ("U" or "V").
/// `side`: of the whole image, px.
double unitsPerPixel(const QualisysNumbers& numbers, const std::string& axis, double side) {
  const double span = numbers.number("intrinsic", "sensorMax" + axis) -
                      numbers.number("intrinsic", "sensorMin" + axis);
  const double units = std::round((span + 1) / side);
  if (!(units >= 1))
    throw Error(
        fmt::format("{} has a sensor of {} units for {} pixels", numbers.place(), span, side));
  return units;
}

RigCamera cameraOf(const QualisysNumbers& numbers, const std::string& name) {
  RigCamera camera;
  camera.name = name;
  const auto field = [&](const char* side) { return numbers.number("fov_video", side); };
  const auto whole = [&](const char* side) {
    return numbers.text("fov_video_max", side) ? numbers.number("fov_video_max", side)
                                               : field(side);
  };
  setSize(camera, field("right") - field("left") + 1, field("bottom") - field("top") + 1,
          numbers.place());
  const double u = unitsPerPixel(numbers, "U", whole("right") - whole("left") + 1),
               v = unitsPerPixel(numbers, "V", whole("bottom") - whole("top") + 1);
  const auto lens = [&](const char* attribute) { return numbers.number("intrinsic", attribute); };
  if (lens("skew") != 0)
    throw Error(
        fmt::format("{} has a skew, which the camera model does not support", numbers.place()));
  const std::array<double, 9> matrix{lens("focalLengthU") / u,
                                     0,
                                     lens("centerPointU") / u - field("left"),
                                     0,
                                     lens("focalLengthV") / v,
                                     lens("centerPointV") / v - field("top"),
                                     0,
                                     0,
                                     1};
  setMatrix(camera, matrix, numbers.place());
  setDistortion(
      camera,
      std::array{lens("radialDistortion1"), lens("radialDistortion2"), lens("tangentalDistortion1"),
                 lens("tangentalDistortion2"), lens("radialDistortion3")},
      numbers.place());
  // The camera's frame has y up and looks along -z.
  Eigen::Matrix3d matrixOf;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      matrixOf(row, column) =
          (row == 0 ? 1 : -1) *
          numbers.number("transform", fmt::format("r{}{}", row + 1, column + 1));
  const Eigen::Vector3d centre(numbers.number("transform", "x"), numbers.number("transform", "y"),
                               numbers.number("transform", "z"));
  camera.pose.rotation = rotationVector(matrixOf, numbers.place());
  camera.pose.translation = -(camera.pose.matrix() * centre);
  return camera;
}

std::string escapedXml(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '&')
      all += "&amp;";
    else if (c == '<')
      all += "&lt;";
    else if (c == '"')
      all += "&quot;";
    else
      all += c;
  }
  return all;
}

}  // namespace

RigFile readQualisysRig(const std::string& text, const std::string& name) {
  RigFile file;
  size_t inactive = 0, index = 0;
  for (const QualisysCamera& camera : CalibrationParser(name).read(text)) {
    const QualisysNumbers numbers(camera, fmt::format("{}: camera {}", name, index));
    const std::string key = fmt::format("cam_{}", index++);
    if (numbers.text("camera", "active").value_or("1") == "0") {
      ++inactive;
      continue;
    }
    if (file.rig.cameras.size() == kMostRigCameras)
      throw Error(fmt::format("{} has more than {} cameras", name, kMostRigCameras));
    const std::string view = numbers.text("camera", "viewrotation").value_or("0");
    if (view != "0")
      file.remarks.push_back(
          fmt::format("{}: camera {} has the viewrotation {} in QTM: its images must be those of "
                      "the sensor, which are not turned",
                      name, index - 1, printable(view)));
    file.rig.cameras.push_back(
        cameraOf(numbers, fromUtf8(numbers.text("camera", "serial").value_or(key))));
  }
  if (file.rig.cameras.empty()) throw Error(fmt::format("{} has no camera that is active", name));
  if (inactive > 0)
    file.remarks.push_back(fmt::format("{}: {} that {} not active {} left out", name,
                                       counted(inactive, "camera"), inactive == 1 ? "is" : "are",
                                       inactive == 1 ? "is" : "are"));
  file.method = "Qualisys Track Manager";
  return file;
}

std::string qualisysText(const RigFile& file) {
  constexpr double kUnits = 64;  // for a pixel
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<calibration created=\"\" source=\"Glint\" "
      "type=\"regular\">\n  <cameras>\n";
  for (const RigCamera& camera : file.rig.cameras) {
    const Lens& l = camera.lens;
    if (l.fisheye)
      throw UsageError(
          "the format qualisys has no fisheye lenses: choose anipose, caliscope, opencv or colmap");
    text += fmt::format(
        "    <camera active=\"1\" avg-residual=\"0\" serial=\"{}\" model=\"none\" "
        "viewrotation=\"0\">\n",
        escapedXml(toUtf8(camera.name)));
    for (const char* field : {"fov_marker", "fov_marker_max", "fov_video", "fov_video_max"})
      text += fmt::format("      <{} left=\"0\" top=\"0\" right=\"{}\" bottom=\"{}\"/>\n", field,
                          camera.width - 1, camera.height - 1);
    const Eigen::Vector3d at = camera.pose.centre();
    text += fmt::format("      <transform x=\"{}\" y=\"{}\" z=\"{}\"", at.x(), at.y(), at.z());
    const Eigen::Matrix3d turned = Eigen::Vector3d(1, -1, -1).asDiagonal() * camera.pose.matrix();
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        text += fmt::format(" r{}{}=\"{}\"", row + 1, column + 1, turned(row, column));
    text += fmt::format(
        "/>\n      <intrinsic focallength=\"0\" sensorMinU=\"0\" sensorMaxU=\"{}\" "
        "sensorMinV=\"0\" sensorMaxV=\"{}\" focalLengthU=\"{}\" focalLengthV=\"{}\" "
        "centerPointU=\"{}\" centerPointV=\"{}\" skew=\"0\" radialDistortion1=\"{}\" "
        "radialDistortion2=\"{}\" radialDistortion3=\"{}\" tangentalDistortion1=\"{}\" "
        "tangentalDistortion2=\"{}\"/>\n    </camera>\n",
        kUnits * camera.width - 1, kUnits * camera.height - 1, kUnits * l.fx, kUnits * l.fy,
        kUnits * l.cx, kUnits * l.cy, l.k1, l.k2, l.k3, l.p1, l.p2);
  }
  return text + "  </cameras>\n</calibration>\n";
}

}  // namespace glint::motion
