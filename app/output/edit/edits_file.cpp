#include "app/output/edit/edits_file.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include "app/base/paths.h"
#include "app/base/whole_file.h"
#include "config/error.h"

namespace glint::output {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kVersion = 1;
constexpr std::streamsize kMostBytes = 64 << 20;
constexpr int kDeepest = 100;  // levels; copying and printing JSON takes stack for each
constexpr const char* kVersionKey = "glint_edits";

double number(const Json& json, const char* key) {
  const Json& value = json.at(key);
  const double found = value.is_number() ? value.get<double>() : NAN;
  if (!std::isfinite(found)) throw Error("'{}' is not a number", key);
  return found;
}

uint64_t count(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_number_unsigned())
    throw Error("'{}' is not a number from 0 on, without a fraction", key);
  return value.get<uint64_t>();
}

std::string words(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_string()) throw Error("'{}' is not a text", key);
  return value.get<std::string>();
}

/// Throws Error if `json` is not an object, or lacks one of `keys`.
void check(const Json& json, std::initializer_list<const char*> keys) {
  if (!json.is_object()) throw Error("it is not an object");
  for (const char* key : keys)
    if (!json.contains(key)) throw Error("'{}' is missing", key);
}

/// Returns the members of `json` except `keys`, as text; empty if there are none.
std::string others(Json json, std::initializer_list<const char*> keys) {
  for (const char* key : keys) json.erase(key);
  return json.empty() ? std::string() : json.dump();
}

TrackAnchor toAnchor(const Json& json) {
  check(json, {"camera", "frame", "x", "y"});
  return {CameraIndex(count(json, "camera")), FrameNumber(count(json, "frame")), number(json, "x"),
          number(json, "y")};
}

TrackEdit toEdit(const Json& json) {
  check(json, {"edit", "at"});
  const std::string name = words(json, "edit");
  const auto kind = editKind(name);
  if (!kind) throw Error("there is no edit '{}'", name);
  TrackEdit edit{.kind = *kind, .at = toAnchor(json.at("at"))};
  if (hasTwo(*kind)) {
    check(json, {"with"});
    edit.with = toAnchor(json.at("with"));
  }
  if (*kind == EditKind::rename) {
    check(json, {"name"});
    edit.name = words(json, "name");
    if (!canBeName(edit.name))
      throw Error("a name is longer than {} bytes, or holds control characters",
                  TrackEdits::kLongestName);
  }
  edit.others = others(json, {"edit", "at", "with", "name"});
  return edit;
}

MeasurePoint toPoint(const Json& json) {
  check(json, {"x", "y"});
  MeasurePoint point{number(json, "x"), number(json, "y")};
  if (json.contains("frame")) point.frame = FrameNumber(count(json, "frame"));
  return point;
}

ImageMeasure toMeasure(const Json& json) {
  check(json, {"measure", "camera", "points"});
  const std::string name = words(json, "measure");
  const auto kind = measureKind(name);
  if (!kind) throw Error("there is no measure '{}'", name);
  ImageMeasure measure{.kind = *kind, .camera = CameraIndex(count(json, "camera")), .points = {}};
  const Json& points = json.at("points");
  if (!points.is_array() || points.size() != pointsOf(*kind))
    throw Error("'points' is not a list of {}", pointsOf(*kind));
  for (const Json& point : points) measure.points.push_back(toPoint(point));
  measure.others = others(json, {"measure", "camera", "points"});
  return measure;
}

/// Reads the members of a list. Errors contain the number of the member.
template <class T>
std::vector<T> toList(const Json& json, const char* key, const char* what, T (*read)(const Json&)) {
  if (!json.at(key).is_array()) throw Error("'{}' is not a list", key);
  std::vector<T> all;
  for (const Json& one : json.at(key)) {
    try {
      all.push_back(read(one));
    } catch (const Error& error) {
      throw Error("{} {}: {}", what, all.size() + 1, error.what());
    }
  }
  return all;
}

TrackEdits toEdits(const Json& json) {
  check(json, {kVersionKey, "edits"});
  const uint64_t version = count(json, kVersionKey);
  if (version != kVersion)
    throw Error("it is of version {}, and this Glint reads version {}", version, kVersion);
  TrackEdits all;
  all.edits = toList(json, "edits", "edit", toEdit);
  if (json.contains("scales")) {
    if (!json.at("scales").is_array()) throw Error("'scales' is not a list");
    for (const Json& scale : json.at("scales")) {
      check(scale, {"camera", "mm_per_px"});
      const double mm = number(scale, "mm_per_px");
      if (!(mm > 0)) throw Error("'mm_per_px' is not above 0");
      all.mmPerPx[CameraIndex(count(scale, "camera"))] = mm;
    }
  }
  if (json.contains("measures")) all.measures = toList(json, "measures", "measure", toMeasure);
  all.others = others(json, {kVersionKey, "edits", "scales", "measures"});
  return all;
}

Json toJson(const TrackAnchor& at) {
  return {{"camera", at.camera.value()}, {"frame", at.frame.value()}, {"x", at.x}, {"y", at.y}};
}

void add(Json& json, const std::string& others) {
  if (!others.empty()) json.update(Json::parse(others));
}

Json toJson(const ImageMeasure& measure) {
  Json points = Json::array();
  for (const MeasurePoint& point : measure.points) {
    points.push_back({{"x", point.x}, {"y", point.y}});
    if (point.frame) points.back()["frame"] = point.frame->value();
  }
  Json json = {{"measure", nameOf(measure.kind)}, {"camera", measure.camera.value()}};
  json["points"] = std::move(points);
  add(json, measure.others);
  return json;
}

}  // namespace

std::string editsPath(const std::string& named) {
  namespace fs = std::filesystem;
  std::string source = named.starts_with("file:") ? named.substr(5) : named;
  std::error_code unknown;
  // Removes options such as "?fps=25" from a folder, unless there is a file of that name.
  if (!fs::exists(source, unknown)) source = source.substr(0, source.rfind('?'));
  if (source.empty() || base::isDevice(source)) return {};
  fs::path path = fs::path(source).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // "folder/"
  std::error_code error;
  if (!path.has_filename() || path.filename() == "." || path.filename() == "..") return {};
  if (path.parent_path() != "" && !fs::is_directory(path.parent_path(), error)) return {};
  const bool folder = fs::is_directory(path, error);
  // A pattern such as "frame_%04d.png" is not itself a file.
  const bool pattern = source.find('%') != std::string::npos || source.find('*') != source.npos;
  if (!folder && !pattern && !fs::is_regular_file(path, error)) return {};
  const std::string name = folder ? path.filename().string() : path.stem().string();
  return (path.parent_path() / (name + ".glint.json")).string();
}

TrackEdits parseEdits(const std::string& bytes, const std::string& path) {
  try {
    return toEdits(Json::parse(bytes, [](int depth, Json::parse_event_t, Json&) {
      if (depth > kDeepest) throw Error("it is nested deeper than {}", kDeepest);
      return true;
    }));
  } catch (const Json::exception&) {
    throw UsageError("'{}' holds no edits: it is not JSON", path);
  } catch (const Error& error) {
    throw UsageError("'{}' holds no edits that can be read: {}", path, error.what());
  }
}

TrackEdits readEdits(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw UsageError("cannot read the edits '{}': it is a folder", path);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError("cannot read the edits '{}'", path);
  std::string text(static_cast<size_t>(kMostBytes) + 1, '\0');
  file.read(text.data(), kMostBytes + 1);
  if (file.bad()) throw UsageError("cannot read the edits '{}'", path);
  if (file.gcount() > kMostBytes)
    throw UsageError("'{}' holds no edits: it is larger than 64 MiB", path);
  text.resize(static_cast<size_t>(file.gcount()));
  return parseEdits(text, path);
}

std::string printEdits(const TrackEdits& all) {
  Json json = {{kVersionKey, kVersion}, {"edits", Json::array()}};
  for (const TrackEdit& edit : all.edits) {
    Json one = {{"edit", nameOf(edit.kind)}};
    if (edit.kind == EditKind::rename) one["name"] = edit.name;
    one["at"] = toJson(edit.at);
    if (edit.with) one["with"] = toJson(*edit.with);
    add(one, edit.others);
    json["edits"].push_back(std::move(one));
  }
  if (!all.mmPerPx.empty()) json["scales"] = Json::array();
  for (const auto& [camera, mm] : all.mmPerPx)
    json["scales"].push_back({{"camera", camera.value()}, {"mm_per_px", mm}});
  if (!all.measures.empty()) json["measures"] = Json::array();
  for (const ImageMeasure& measure : all.measures) json["measures"].push_back(toJson(measure));
  add(json, all.others);
  return json.dump(1) + "\n";
}

void writeEdits(const TrackEdits& edits, const std::string& path) {
  base::writeWholeFile(path, printEdits(edits));
}

}  // namespace glint::output
