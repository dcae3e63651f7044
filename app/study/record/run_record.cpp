#include "app/study/record/run_record.h"

#include <cmath>
#include <ctime>
#include <map>
#include <span>
#include <string>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/version.h"
#include "app/base/whole_file.h"

namespace glint::study {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the settings as nested objects. Each value is what TOML would read.
Json settingsJson(const Settings& settings) {
  Json all;
  for (const SettingInfo& setting : listSettings(settings)) {
    const size_t dot = setting.key.find('.');
    // Numbers, true, false and quoted texts are written alike in TOML and JSON.
    all[setting.key.substr(0, dot)][setting.key.substr(dot + 1)] = Json::parse(setting.value);
  }
  return all;
}

Json timesJson(const session::SessionTimes& times) {
  Json all = Json::object();
  for (const auto& [name, histogram] : times) {
    all[name] = {{"p50", histogram.percentile(0.5)},
                 {"p95", histogram.percentile(0.95)},
                 {"p99", histogram.percentile(0.99)},
                 {"max", histogram.percentile(1)},
                 {"count", histogram.count()}};
  }
  return all;
}

Json formatJson(const gpu::ImageFormat& format) {
  return {{"width", format.width},
          {"height", format.height},
          {"channels", format.channels},
          {"bits", format.bits}};
}

/// Returns the changes of settings during the run, in the order of time. Each entry holds only the
/// settings that differ from those before.
Json changesJson(const RunInputs& inputs, const session::SessionResult& result) {
  Json all = Json::array();
  Settings before = inputs.settings;
  for (const session::SettingsChange& change : result.settingsChanges) {
    Json changed = Json::object();
    std::map<std::string, std::string> from;
    for (const SettingInfo& setting : listSettings(before)) from[setting.key] = setting.value;
    for (const SettingInfo& setting : listSettings(change.settings))
      if (from[setting.key] != setting.value) changed[setting.key] = Json::parse(setting.value);
    if (!changed.empty())
      all.push_back(
          {{"pass", change.pass.value()}, {"frame", change.set.value()}, {"settings", changed}});
    before = change.settings;
  }
  return all;
}

Json orNull(double value) {
  return value > 0 ? Json(value) : Json();
}

void addLive(Json& camera, const capture::Feeds::CameraStatus& status) {
  constexpr double kMilli = 1e3;
  camera["dropped"] = status.dropped;
  camera["skipped"] = status.skipped;
  camera["damaged"] = status.damaged;
  camera["times_lost"] = status.losses;
  camera["rate"] = orNull(status.meanRate);
  camera["jitter_ms"] = status.meanRate > 0 ? Json(kMilli * status.meanJitter) : Json();
  camera["time_uncertainty_ms"] = orNull(kMilli * status.uncertainty);
}

Json camerasJson(const RunInputs& inputs, const session::SessionResult& result) {
  Json cameras = Json::array();
  for (size_t i = 0; i < inputs.sources.size(); ++i) {
    Json camera{{"camera", i},
                {"source", inputs.sources[i].shown()},
                {"format", formatJson(inputs.formats[i])},
                {"frames", result.counts.cameras[i].frames}};
    if (const auto& counted = result.counts.cameras[i]; counted.frames > 0) {
      camera["first_frame"] = counted.firstFrame;
      camera["last_frame"] = counted.lastFrame;
    }
    if (i < inputs.facts.size() && !inputs.facts[i].empty()) {
      Json& given = camera["given"] = Json::object();
      for (const capture::SourceFact& fact : inputs.facts[i]) given[fact.name] = fact.value;
    }
    if (i < inputs.reports.size()) camera["about"] = toJson(inputs.reports[i]);
    if (result.zero && i < result.cameras.size()) {
      addLive(camera, result.cameras[i]);
    }
    cameras.push_back(std::move(camera));
  }
  return cameras;
}

/// Returns the moment at which the times of live cameras are 0; null for recordings.
Json zeroJson(const session::SessionResult& result) {
  if (!result.zero) return {};
  const double utc = *result.zeroUtc;
  const auto seconds = static_cast<std::time_t>(std::floor(utc));
  const int micro = static_cast<int>((utc - std::floor(utc)) * 1e6);
  return {{"utc", fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06d}Z", fmt::gmtime(seconds), micro)},
          {"monotonic_s", *result.zero}};
}

Json streamsJson(const session::SessionResult& result) {
  Json all = Json::array();
  for (const output::SinkStatus& stream : result.sinks) {
    if (stream.handover != output::Handover::newest) continue;
    all.push_back({{"target", stream.name},
                   {"frames_sent", stream.frames},
                   {"frames_dropped", stream.dropped},
                   {"state", stream.state.empty() ? Json() : Json(stream.state)},
                   {"problem", stream.problem.empty() ? Json() : Json(stream.problem)}});
  }
  return all;
}

Json findingsJson(const std::vector<Finding>& findings) {
  Json all = Json::array();
  for (const Finding& finding : findings)
    all.push_back({{"finding", nameOf(finding.kind)},
                   {"severity", nameOf(finding.severity)},
                   {"text", finding.sentences()},
                   {"options", argumentsOf(finding.remedy)}});
  return all;
}

Json spaceJson(const RunInputs& inputs, const motion::SpaceCounts& counts) {
  Json floors = Json::array(), bodies = Json::array();
  for (const double floor : counts.floors) floors.push_back(floor < 0 ? Json() : Json(floor));
  for (const auto& [name, body] : counts.bodies)
    bodies.push_back({{"body", name},
                      {"sets", body.rows},
                      {"measured", body.measured},
                      {"sigma_mm", body.sigma()},
                      {"sigma_deg", body.turn()},
                      {"residual_mm", body.residual()}});
  return {{"rig", inputs.rig},
          {"bodies_file", inputs.bodies.empty() ? Json() : Json(inputs.bodies)},
          {"points", counts.points},
          {"stitches", counts.stitches},
          {"rows", counts.rows},
          {"measured", counts.measured},
          {"sets", counts.sets},
          {"rays", counts.meanRays()},
          {"sigma_mm", counts.sigma()},
          {"residual_px", counts.residual()},
          {"floors_px", floors},
          {"corrections", counts.corrections},
          {"camera_doubts", counts.doubts},
          {"bodies", bodies}};
}

}  // namespace

void writeRunRecord(const std::string& path, const RunInputs& inputs,
                    const session::SessionResult& result, const std::vector<Finding>& findings) {
  Json record{{"glint", base::kVersion},
              {"cameras", camerasJson(inputs, result)},
              {"format", formatJson(inputs.formats.front())},
              {"device",
               {{"name", inputs.device.name},
                {"type", inputs.device.type},
                {"driver", inputs.device.driver}}},
              {"settings", settingsJson(inputs.settings)},
              {"settings_changes", changesJson(inputs, result)},
              {"counts",
               {{"frames", result.counts.frames},
                {"markers", result.counts.markers},
                {"tracks", result.counts.tracks},
                {"stitches", result.counts.stitches},
                {"repeated_frames", result.counts.repeats},
                {"frames_at_max_markers", result.counts.fullFrames},
                {"partial_frames", result.counts.partialFrames},
                {"dropped", result.counts.dropped},
                {"left_out_of_recordings", result.counts.leftOut}}},
              {"findings", findingsJson(findings)},
              {"sets_by_time", result.byTime},
              {"streams", streamsJson(result)},
              {"time_zero", zeroJson(result)},
              {"interrupted", result.interrupted},
              {"failure", result.failure.empty() ? Json() : Json(result.failure)},
              {"seconds", result.seconds},
              {"device_us", timesJson(result.deviceTimes)},
              {"wall_us", timesJson(result.wallTimes)}};
  if (!inputs.rig.empty()) record["space"] = spaceJson(inputs, result.counts.space);
  const std::string text = record.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
  base::writeWholeFile(path, text);
}

}  // namespace glint::study
