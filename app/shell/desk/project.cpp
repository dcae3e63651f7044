#include "app/shell/desk/project.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/whole_file.h"
#include "app/capture/source/source_kinds.h"
#include "config/error.h"
#include "config/toml_text.h"

namespace glint::shell {
namespace {

using ProjectJson = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::string_view kProjectSuffix = ".glint";
constexpr int kProjectFormat = 1;
// The largest file that is read as a project.
constexpr std::streamsize kMostProjectBytes = 1 << 24;

fs::path folderOf(const std::string& project) {
  return fs::absolute(project).lexically_normal().parent_path();
}

/// Returns the path of a file as the project names it.
std::string namedIn(const fs::path& folder, const std::string& file) {
  if (file.empty()) return file;
  const fs::path whole = fs::absolute(file).lexically_normal();
  const fs::path inside = whole.lexically_relative(folder);
  const bool below = !inside.empty() && *inside.begin() != "..";
  return below ? inside.string() : whole.string();
}

/// Returns the path of a file that the project names.
std::string foundFrom(const fs::path& folder, const std::string& file) {
  return file.empty() ? file : (folder / file).lexically_normal().string();
}

std::string projectText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open() || fs::is_directory(path)) throw Error("cannot open the project '{}'", path);
  std::string text(static_cast<size_t>(kMostProjectBytes) + 1, '\0');
  file.read(text.data(), kMostProjectBytes + 1);
  if (file.bad()) throw Error("cannot read the project '{}'", path);
  if (file.gcount() > kMostProjectBytes) throw Error("'{}' is too large for a project", path);
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

ProjectJson toJson(const ProjectView& view) {
  ProjectJson json = ProjectJson::object();
  if (view.frame) json["frame"] = *view.frame;
  json["in"] = view.in;
  if (view.out) json["out"] = *view.out;
  json["bookmarks"] = view.bookmarks;
  json["numbers"] = ProjectJson::object();
  for (const auto& [name, value] : view.looks.numbers)
    if (std::isfinite(value)) json["numbers"][name] = value;
  json["switches"] = view.looks.switches;
  json["texts"] = view.looks.texts;
  return json;
}

ProjectView viewFrom(const ProjectJson& json) {
  ProjectView view;
  if (json.contains("frame")) view.frame = json.at("frame").get<uint64_t>();
  view.in = json.value("in", uint64_t{0});
  if (json.contains("out")) view.out = json.at("out").get<uint64_t>();
  view.bookmarks = json.value("bookmarks", std::vector<uint64_t>());
  if (json.contains("numbers")) json.at("numbers").get_to(view.looks.numbers);
  if (json.contains("switches")) json.at("switches").get_to(view.looks.switches);
  if (json.contains("texts")) json.at("texts").get_to(view.looks.texts);
  return view;
}

/// Returns the contents of a project file as they stand there, with settings as text.
Project projectFrom(const ProjectJson& json, const std::string& path) {
  Project project;
  const fs::path folder = folderOf(path);
  for (const std::string& source : json.at("sources").get<std::vector<std::string>>())
    project.sources.emplace_back(capture::isPathSource(source) ? foundFrom(folder, source)
                                                               : source);
  project.rig = foundFrom(folder, json.value("rig", ""));
  project.bodies = foundFrom(folder, json.value("bodies", ""));
  project.edits = foundFrom(folder, json.value("edits", ""));
  if (json.contains("view")) project.view = viewFrom(json.at("view"));
  return project;
}

}  // namespace

bool isProject(std::string_view name) {
  return name.size() > kProjectSuffix.size() && name.ends_with(kProjectSuffix);
}

Project readProject(const std::string& path) {
  const std::string text = projectText(path);
  Project project;
  std::string settings;
  try {
    const ProjectJson json = ProjectJson::parse(text);
    const int format = json.at("glint_project").get<int>();
    if (format > kProjectFormat)
      throw Error("'{}' is a project of a later version of Glint (format {})", path, format);
    project = projectFrom(json, path);
    settings = json.value("settings", "");
  } catch (const nlohmann::json::exception&) {
    throw Error("'{}' is not a project of Glint, or it is damaged", path);
  }
  if (project.sources.empty()) throw Error("the project '{}' names no source", path);
  readTomlText(project.settings, settings, path);
  return project;
}

void writeProject(const Project& project, const std::string& path) {
  const fs::path folder = folderOf(path);
  ProjectJson json;
  json["glint_project"] = kProjectFormat;
  json["sources"] = ProjectJson::array();
  for (const Address& source : project.sources)
    json["sources"].push_back(
        capture::isPathSource(source.shown()) ? namedIn(folder, source.shown()) : source.shown());
  if (!project.rig.empty()) json["rig"] = namedIn(folder, project.rig);
  if (!project.bodies.empty()) json["bodies"] = namedIn(folder, project.bodies);
  if (!project.edits.empty()) json["edits"] = namedIn(folder, project.edits);
  json["view"] = toJson(project.view);
  std::ostringstream settings;
  writeToml(project.settings, settings);
  json["settings"] = settings.str();
  base::writeWholeFile(path,
                       json.dump(2, ' ', false, ProjectJson::error_handler_t::replace) + "\n");
}

}  // namespace glint::shell
