#include "app/motion/rig/rig_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <toml++/toml.h>

#include "app/base/whole_file.h"
#include "app/motion/rig/rig_parts.h"
#include "app/motion/rig/toml_file.h"
#include "config/error.h"
#include "config/printable.h"
#include "config/toml_value.h"

namespace glint::motion {
namespace {

// ---- writing ----

std::string list(std::span<const double> values) {
  std::string text = "[";
  for (const double value : values) text += (text.size() > 1 ? ", " : "") + tomlNumber(value);
  return text + "]";
}

std::string cameraText(const RigCamera& camera, const std::string& key) {
  const Lens& l = camera.lens;
  const auto three = [](const Eigen::Vector3d& v) { return list(std::span(v.data(), 3)); };
  return fmt::format(
      "[{}]\nname = {}\nsize = [{}, {}]\nmatrix = [{}, {}, {}]\ndistortions = {}\nrotation = {}\n"
      "translation = {}\n{}\n",
      key, tomlString(camera.name), camera.width, camera.height, list(std::array{l.fx, 0.0, l.cx}),
      list(std::array{0.0, l.fy, l.cy}), list(std::array{0.0, 0.0, 1.0}), list(coefficientsOf(l)),
      three(camera.pose.rotation), three(camera.pose.translation),
      l.fisheye ? "fisheye = true\n" : "");
}

/// Replaces the camera's key `from` at the start of a parameter's name by `to`. Returns an empty
/// string if the name belongs to another camera.
std::string renamed(const std::string& name, const std::string& from, const std::string& to) {
  return name.starts_with(from + ".") ? to + name.substr(from.size()) : std::string();
}

std::string covarianceText(const Rig& rig) {
  const size_t count = rig.cameras.size();
  std::string text = "\n[metadata.covariance]\nparameters = [";
  for (size_t i = 0; i < rig.covariance.names.size(); ++i) {
    std::string name;
    for (size_t c = 0; c < count && name.empty(); ++c)
      name = renamed(rig.covariance.names[i], fmt::format("cam_{}", c), cameraKey(c, count));
    text += (i ? ", " : "") + tomlString(name);
  }
  text += "]\nlower_triangle = [\n";
  for (Eigen::Index i = 0; i < rig.covariance.matrix.rows(); ++i) {
    const Eigen::VectorXd row = rig.covariance.matrix.row(i).head(i + 1);
    text += "  " + list(std::span(row.data(), static_cast<size_t>(row.size()))) + ",\n";
  }
  return text + "]\n";
}

// ---- reading ----

/// One table of the file. Its errors name the file, the line and the key.
class Table {
 public:
  Table(const toml::table& table, std::string key, const std::string& file)
      : table_(table), key_(std::move(key)), file_(file) {}

  /// The file, the line and the key, with which errors begin.
  std::string place() const {
    return fmt::format("{}, line {}: [{}]", file_, table_.source().begin.line, key_);
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(fmt::format("{} {}", place(), what));
  }

  std::string text(const char* key, std::string otherwise) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return otherwise;
    if (!node->is_string()) refuse(fmt::format("has a {} that is not a string", key));
    return **node->as_string();
  }

  /// Returns the numbers of a list, which may be nested. Refuses fewer than `least` or more than
  /// `most` numbers. The key may only be missing if `least` is 0.
  std::vector<double> numbers(const char* key, size_t least, size_t most) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr && least > 0) refuse(fmt::format("has no {}", key));
    std::vector<double> values;
    if (node != nullptr && !flatten(*node, values))
      refuse(fmt::format("has a {} that is not a list of finite numbers", key));
    if (values.size() < least || values.size() > most)
      refuse(fmt::format("has a {} of {} numbers, but {} are needed", key, values.size(), most));
    return values;
  }

  const toml::node* node(const char* key) const { return table_.get(key); }

 private:
  static bool flatten(const toml::node& node, std::vector<double>& values) {
    if (const toml::array* array = node.as_array()) {
      return std::all_of(array->begin(), array->end(),
                         [&](const toml::node& each) { return flatten(each, values); });
    }
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value)) return false;
    values.push_back(*value);
    return true;
  }

  const toml::table& table_;
  std::string key_;
  const std::string& file_;
};

/// Reads one camera, whose name is `key` unless the table has another.
RigCamera cameraOf(const Table& table, const std::string& key) {
  constexpr double kMostTurn = 100;  // rad; a longer rotation vector is a mistake
  RigCamera camera;
  camera.name = fromUtf8(table.text("name", key));
  if (const toml::node* fisheye = table.node("fisheye")) {
    if (!fisheye->is_boolean()) table.refuse("has a fisheye that is neither true nor false");
    camera.lens.fisheye = fisheye->value_or(false);
  }
  const auto size = table.numbers("size", 2, 2);
  setSize(camera, size[0], size[1], table.place());
  const auto matrix = table.numbers("matrix", 9, 9);
  setMatrix(camera, std::span<const double, 9>(matrix), table.place());
  setDistortion(camera, table.numbers("distortions", 0, 14), table.place());
  const auto rotation = table.numbers("rotation", 3, 9);
  const auto translation = table.numbers("translation", 3, 3);
  camera.pose.translation = Eigen::Vector3d(translation.data());
  if (rotation.size() == 9)
    camera.pose.rotation = rotationVector(
        Eigen::Matrix<double, 3, 3, Eigen::RowMajor>(rotation.data()), table.place());
  else if (rotation.size() == 3)
    camera.pose.rotation = Eigen::Vector3d(rotation.data());
  else
    table.refuse(fmt::format("has a rotation of {} numbers, but a vector has 3 and a matrix 9",
                             rotation.size()));
  if (camera.pose.rotation.norm() > kMostTurn)
    table.refuse("has a rotation that is not a vector in radians");
  return camera;
}

/// Reads the covariance. `keys` are the tables of the cameras, in order.
RigCovariance covarianceOf(const Table& table, const std::vector<std::string>& keys) {
  RigCovariance covariance;
  const toml::node* parameters = table.node("parameters");
  if (parameters == nullptr || !parameters->is_array()) table.refuse("has no list of parameters");
  for (const toml::node& node : *parameters->as_array()) {
    const std::string given = node.value_or(std::string());
    std::string name;
    for (size_t c = 0; c < keys.size() && name.empty(); ++c)
      name = renamed(given, keys[c], fmt::format("cam_{}", c));
    if (name.empty())
      table.refuse(fmt::format("has the parameter \"{}\", which no camera has", given));
    if (std::find(covariance.names.begin(), covariance.names.end(), name) != covariance.names.end())
      table.refuse(fmt::format("has the parameter \"{}\" twice", given));
    covariance.names.push_back(std::move(name));
  }
  const size_t size = covariance.names.size(), wanted = size * (size + 1) / 2;
  const auto values = table.numbers("lower_triangle", wanted, wanted);
  covariance.matrix.resize(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
  size_t next = 0;
  for (Eigen::Index i = 0; i < covariance.matrix.rows(); ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      covariance.matrix(i, j) = covariance.matrix(j, i) = values[next++];
  return covariance;
}

/// Returns true if the matrix has no negative eigenvalue except for rounding. It is judged by its
/// correlations, which have no units.
bool isCovariance(const Eigen::MatrixXd& matrix) {
  // Largest rounding error of an eigenvalue, for each row of the matrix. Raising it accepts more
  // matrices that are not covariances.
  constexpr double kRounding = 1e-6;
  if (matrix.size() == 0) return true;
  if (!(matrix.diagonal().minCoeff() > 0)) return false;
  const Eigen::VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd correlation = scale.asDiagonal() * matrix * scale.asDiagonal();
  if (!correlation.allFinite()) return false;
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(correlation, Eigen::EigenvaluesOnly)
             .eigenvalues()
             .minCoeff() > -kRounding * static_cast<double>(matrix.rows());
}

/// Reads a text for each of `count` cameras.
std::vector<std::string> orientationsOf(const toml::node& node, size_t count, const Table& table) {
  const toml::array* words = node.as_array();
  if (!words || words->size() != count ||
      !std::ranges::all_of(*words, [](const toml::node& each) { return each.is_string(); }))
    table.refuse(
        fmt::format("has an orientation that is not a list of {}", counted(count, "text")));
  std::vector<std::string> orientations;
  for (const toml::node& each : *words) orientations.push_back(fromUtf8(**each.as_string()));
  return orientations;
}

void readMetadata(RigFile& file, const toml::table& node, const std::vector<std::string>& keys,
                  const std::string& name) {
  const Table table(node, "metadata", name);
  file.unit = table.text("unit", file.unit);
  file.date = table.text("date", "");
  file.method = table.text("method", "");
  if (table.node("error") != nullptr) file.error = table.numbers("error", 1, 1)[0];
  if (table.node("time_offset_s") != nullptr) {
    const auto offsets = table.numbers("time_offset_s", keys.size(), keys.size());
    for (size_t c = 0; c < keys.size(); ++c) file.rig.cameras[c].timeOffset = offsets[c];
  }
  if (const toml::node* orientation = table.node("orientation"))
    file.orientations = orientationsOf(*orientation, keys.size(), table);
  if (table.node("readout_s") != nullptr) {
    const auto readouts = table.numbers("readout_s", keys.size(), keys.size());
    for (size_t c = 0; c < keys.size(); ++c) {
      // Longest readout, s. No camera needs longer than its frame interval.
      constexpr double kMost = 1;
      if (std::abs(readouts[c]) > kMost)
        table.refuse(
            fmt::format("has a readout_s of {:g}, but it is at most {:g}", readouts[c], kMost));
      file.rig.cameras[c].readout = readouts[c];
    }
  }
  if (const toml::node* exact = table.node("exact")) {
    if (!exact->is_boolean()) table.refuse("has an exact that is neither true nor false");
    file.rig.exact = exact->value_or(false);
  }
  const toml::node* covariance = table.node("covariance");
  if (covariance == nullptr) return;
  if (file.rig.exact) table.refuse("is exact, and has a covariance");
  if (!covariance->is_table()) table.refuse("has a covariance that is not a table");
  const Table inner(*covariance->as_table(), "metadata.covariance", name);
  file.rig.covariance = covarianceOf(inner, keys);
  try {
    fullCovariance(file.rig);
  } catch (const Error& error) {
    inner.refuse(error.what());
  }
  if (!isCovariance(file.rig.covariance.matrix)) inner.refuse("holds no covariance matrix");
}

/// Returns the number in a key: 12 for "cam_12" and "cam_012". Returns nothing for other keys, and
/// the largest number if the digits do not fit.
std::optional<size_t> numberOf(std::string_view key) {
  constexpr std::string_view kPrefix = "cam_";
  if (!key.starts_with(kPrefix) || key == kPrefix) return std::nullopt;
  key.remove_prefix(kPrefix.size());
  size_t number = 0;
  const auto [end, problem] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (end != key.data() + key.size()) return std::nullopt;
  return problem == std::errc() ? number : std::numeric_limits<size_t>::max();
}

/// Returns the keys of the tables of cameras, in the order of the cameras. cam_N is camera N;
/// tables with other names come in the order of the file.
std::vector<std::string> cameraKeys(const toml::table& root, const std::string& name) {
  std::map<toml::source_index, std::string> byLine;
  for (const auto& [key, node] : root) {
    if (key == "metadata") continue;
    if (!node.is_table())
      throw Error(fmt::format("{}, line {}: \"{}\" is not the table of a camera", name,
                              node.source().begin.line, std::string(key)));
    byLine.emplace(node.source().begin.line, std::string(key));
  }
  if (byLine.empty())
    throw Error(fmt::format("{} has no camera: the table [cam_0] is missing", name));
  if (byLine.size() > kMostRigCameras)
    throw Error(fmt::format("{} has {} cameras; at most {} are read", name, byLine.size(),
                            kMostRigCameras));

  std::vector<std::string> inFile;
  std::map<size_t, std::string> byNumber;
  const bool numbered = numberOf(byLine.begin()->second).has_value();
  for (const auto& [line, key] : byLine) {
    inFile.push_back(key);
    const auto number = numberOf(key);
    if (number.has_value() != numbered)
      throw Error(fmt::format(
          "{}, line {}: [{}] and [{}] stand together, but cameras are all numbered, or none is",
          name, line, inFile.front(), key));
    if (!numbered) continue;
    const auto [same, isNew] = byNumber.emplace(*number, key);
    if (!isNew)
      throw Error(fmt::format("{}, line {}: [{}] is camera {}, and so is [{}]", name, line, key,
                              *number, same->second));
  }
  if (!numbered) return inFile;
  std::vector<std::string> inOrder;
  for (const auto& [number, key] : byNumber) {
    if (number != inOrder.size())
      throw Error(fmt::format("{} has {} cameras, but no [cam_{}]: numbers go from 0 without a gap",
                              name, byNumber.size(), inOrder.size()));
    inOrder.push_back(key);
  }
  return inOrder;
}

/// Returns the tables of caliscope's cameras by their numbers, or none if the file is of another
/// program. caliscope has [cameras.N], or of old [cam_N] with its own key `rotation_count`.
std::map<size_t, const toml::table*> caliscopeCameras(const toml::table& root,
                                                      const std::string& name) {
  std::map<size_t, const toml::table*> cameras;
  const toml::table* inner = root.get_as<toml::table>("cameras");
  for (const auto& [key, node] : inner ? *inner : root) {
    const toml::table* table = node.as_table();
    const std::string text = inner ? "cam_" + std::string(key) : std::string(key);
    const auto number = numberOf(text);
    if (!table || !number || (!inner && !table->contains("rotation_count"))) continue;
    if (!cameras.emplace(*number, table).second)
      throw Error(fmt::format("{}, line {}: camera {} is there twice", name,
                              table->source().begin.line, *number));
  }
  if (cameras.size() > kMostRigCameras)
    throw Error(fmt::format("{} has {} cameras; at most {} are read", name, cameras.size(),
                            kMostRigCameras));
  return cameras;
}

RigFile caliscopeRig(const std::map<size_t, const toml::table*>& cameras, const std::string& name) {
  constexpr double kMmPerMetre = 1000;
  RigFile file;
  size_t ignored = 0;
  for (const auto& [number, node] : cameras) {
    const std::string key = fmt::format("cam_{}", number);
    const Table table(*node, key, name);
    if (const toml::node* ignore = table.node("ignore"); ignore && ignore->value_or(false)) {
      ++ignored;
      continue;
    }
    file.rig.cameras.push_back(cameraOf(table, key));
    file.rig.cameras.back().pose.translation *= kMmPerMetre;
  }
  if (file.rig.cameras.empty()) throw Error(fmt::format("{} has no camera", name));
  if (ignored > 0)
    file.remarks.push_back(fmt::format("{}: {} that caliscope ignores {} left out", name,
                                       counted(ignored, "camera"), ignored == 1 ? "is" : "are"));
  file.method = "caliscope";
  return file;
}

}  // namespace

std::string cameraKey(size_t index, size_t count) {
  return fmt::format("cam_{:0{}}", index, count > 10 ? std::to_string(count - 1).size() : 1);
}

std::string rigText(const RigFile& file) {
  std::string text;
  std::vector<double> offsets, readouts;
  const size_t count = file.rig.cameras.size();
  for (size_t c = 0; c < count; ++c) {
    text += cameraText(file.rig.cameras[c], cameraKey(c, count));
    offsets.push_back(file.rig.cameras[c].timeOffset);
    readouts.push_back(file.rig.cameras[c].readout);
  }
  text += fmt::format("[metadata]\nunit = {}\n", tomlString(file.unit));
  if (!file.date.empty()) text += fmt::format("date = {}\n", tomlString(file.date));
  if (!file.method.empty()) text += fmt::format("method = {}\n", tomlString(file.method));
  if (std::isfinite(file.error)) text += fmt::format("error = {}\n", tomlNumber(file.error));
  text += fmt::format("time_offset_s = {}\n", list(offsets));
  if (!file.orientations.empty()) {
    std::string words;
    for (const std::string& each : file.orientations)
      words += (words.empty() ? "" : ", ") + tomlString(each);
    text += fmt::format("orientation = [{}]\n", words);
  }
  if (std::ranges::any_of(readouts, [](double readout) { return readout != 0; }))
    text += fmt::format("readout_s = {}\n", list(readouts));
  if (file.rig.exact) text += "exact = true\n";
  if (!file.rig.covariance.names.empty()) text += covarianceText(file.rig);
  return text;
}

void writeRig(const std::string& path, const RigFile& file) {
  const std::string text = rigText(file);
  readRigText(text, path);
  base::writeWholeFile(path, std::as_bytes(std::span(text)));
}

RigFile readRigText(const std::string& text, const std::string& name) {
  const toml::table root = parseToml(text, name);
  if (const auto cameras = caliscopeCameras(root, name); !cameras.empty())
    return caliscopeRig(cameras, name);
  const std::vector<std::string> keys = cameraKeys(root, name);
  RigFile file;
  for (const std::string& key : keys)
    file.rig.cameras.push_back(cameraOf(Table(*root.get_as<toml::table>(key), key, name), key));
  if (const toml::node* metadata = root.get("metadata")) {
    if (!metadata->is_table()) throw Error(fmt::format("{}: metadata is not a table", name));
    readMetadata(file, *metadata->as_table(), keys, name);
  }
  return file;
}

}  // namespace glint::motion
