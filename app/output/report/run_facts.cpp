#include "app/output/report/run_facts.h"

#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/error.h"
#include "config/secrets.h"
#include "config/settings.h"

namespace glint::output::report {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Setting> settingsOf(const Json& groups) {
  std::map<std::string, Json> usual;
  // The TOML value of a setting is also a JSON value. app/study/record/run_record.cpp relies on
  // this, too.
  for (const SettingInfo& setting : listSettings(Settings{}))
    usual[setting.key] = Json::parse(setting.value);
  std::vector<Setting> settings;
  for (const auto& [group, members] : groups.items()) {
    for (const auto& [name, value] : members.items()) {
      const std::string key = fmt::format("{}.{}", group, name);
      const auto known = usual.find(key);
      settings.push_back(
          {key + " = " + value.dump(), known != usual.end() && known->second == value});
    }
  }
  return settings;
}

// Reads a record. Refuses files that would take all memory, or that are nested too deeply for a
// recursive function. Records may come from other versions, or be no records at all.
Json readRecord(const std::string& path) {
  constexpr size_t kMostRecordBytes = 16 << 20;
  constexpr int kDeepest = 32;
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw Error("{} is a folder, not the record of a run", path);
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostRecordBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMostRecordBytes)
    throw Error("{} is larger than {} bytes, so it is not the record of a run", path,
                kMostRecordBytes);
  // Records of earlier versions contain addresses with their secrets.
  return Json::parse(hideSecrets(text), [&](int depth, Json::parse_event_t, const Json&) {
    if (depth > kDeepest)
      throw Error("{} nests more than {} deep, so it is not the record of a run", path, kDeepest);
    return true;
  });
}

std::vector<std::optional<FrameSpan>> trackedOf(const Json& cameras) {
  std::vector<std::optional<FrameSpan>> tracked;
  for (const Json& camera : cameras) {
    if (camera.contains("first_frame"))
      tracked.push_back(FrameSpan{camera.at("first_frame"), camera.at("last_frame")});
    else if (camera.value("frames", uint64_t{0}) == 0)
      tracked.push_back(std::nullopt);
    else
      return {};
  }
  return tracked;
}

SpaceFacts spaceOf(const Json& space) {
  SpaceFacts facts{.rig = space.at("rig"),
                   .points = space.at("points"),
                   .rows = space.at("rows"),
                   .measured = space.at("measured"),
                   .sets = space.at("sets"),
                   .rays = space.at("rays"),
                   .sigma = space.at("sigma_mm"),
                   .residual = space.at("residual_px"),
                   .floors = {},
                   .bodies = {},
                   .remarks = {}};
  for (const Json& floor : space.at("floors_px"))
    facts.floors.push_back(floor.is_null() ? -1 : floor.get<double>());
  for (const Json& body : space.at("bodies"))
    facts.bodies.push_back({body.at("body"), body.at("sets"), body.at("measured"),
                            body.at("sigma_mm"), body.at("sigma_deg"), body.at("residual_mm")});
  const auto listed = [&](const char* key) { return space.value(key, Json::array()); };
  for (const Json& doubt : listed("camera_doubts")) facts.remarks.push_back(doubt);
  for (const Json& correction : listed("corrections"))
    facts.remarks.push_back("corrected: " + correction.get<std::string>());
  return facts;
}

}  // namespace

RunFacts readRunFacts(const std::string& path) {
  try {
    const Json record = readRecord(path);
    RunFacts run;
    run.version = record.at("glint");
    run.device = record.at("device").at("name");
    const Json& image = record.at("format");
    run.image = fmt::format("{}x{}, {} channel{}, {} bits", image.at("width").get<int>(),
                            image.at("height").get<int>(), image.at("channels").get<int>(),
                            image.at("channels") == 1 ? "" : "s", image.at("bits").get<int>());
    for (const Json& camera : record.at("cameras")) run.sources.push_back(camera.at("source"));
    for (const Json& camera : record.at("cameras")) {
      const auto about = camera.find("about");
      if (about == camera.end()) continue;
      run.inputs.push_back(about->at("line"));
      for (const Json& warning : about->at("warnings")) run.inputs.push_back(warning);
    }
    run.tracked = trackedOf(record.at("cameras"));
    run.settings = settingsOf(record.at("settings"));
    const Json& counts = record.at("counts");
    run.frames = counts.at("frames");
    run.tracks = counts.at("tracks");
    run.dropped = counts.at("dropped");
    run.interrupted = record.at("interrupted");
    if (const Json& failure = record.at("failure"); !failure.is_null()) run.failure = failure;
    if (const auto space = record.find("space"); space != record.end()) run.space = spaceOf(*space);
    return run;
  } catch (const Json::exception&) {
    throw Error("{} is not the record of a run", path);
  }
}

}  // namespace glint::output::report
