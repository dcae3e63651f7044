#include <algorithm>
#include <map>

#include "bench/duration_json.h"
#include "bench/formatted.h"
#include "bench/volumes.h"

namespace glint::bench {
namespace {

std::string milliseconds(const Duration& d) {
  if (d.count == 0) return "-";
  return formatted("%.3f (%.3f-%.3f)", d.median / 1000, d.p10 / 1000, d.p90 / 1000);
}

/// On a device without time stamps wall times stand in.
double deviceTime(const VolumeResult& r) {
  return r.device.count == 0 ? r.wall.median : r.device.median;
}

double voxels(const VolumeResult& r) {
  const double side = r.what.side;
  return side * side * side;
}

std::string row(const VolumeResult& r) {
  const std::string name = describe(r.what);
  if (!r.skipped.empty()) return formatted("%-36s skipped: %s\n", name.c_str(), r.skipped.c_str());
  return formatted("%-36s %26s %10.3f %10.4f %12s %12llu\n", name.c_str(),
                   milliseconds(r.device).c_str(), r.wall.median / 1000,
                   deviceTime(r) * 1000 / voxels(r),
                   r.host.count == 0 ? "-" : formatted("%.1f", r.host.median / 1000).c_str(),
                   static_cast<unsigned long long>(r.differences));
}

/// The most and the least expensive content of one size and metric.
struct Range {
  double least = 0, most = 0;  // us
  double voxels = 0;
};

std::string growthTable(const std::vector<VolumeResult>& results) {
  std::map<std::pair<bool, uint32_t>, Range> ranges;
  for (const VolumeResult& r : results) {
    if (!r.skipped.empty()) continue;
    const double time = deviceTime(r);
    Range& range =
        ranges.try_emplace({r.what.metric != Metric::euclidean, r.what.side}, time, time, voxels(r))
            .first->second;
    range.least = std::min(range.least, time);
    range.most = std::max(range.most, time);
  }
  std::string text = formatted("\n%-24s %12s %12s %14s %22s\n", "worst of all contents", "worst ms",
                               "best ms", "worst/best", "ns a voxel, worst");
  for (const auto& [key, range] : ranges) {
    const std::string name =
        std::to_string(key.second) + "^3 " + (key.first ? "chamfer 3-4-5" : "euclidean");
    text +=
        formatted("%-24s %12.3f %12.3f %14.2f %22.4f\n", name.c_str(), range.most / 1000,
                  range.least / 1000, range.most / range.least, range.most * 1000 / range.voxels);
  }
  return text;
}

std::string passTable(const std::vector<VolumeResult>& results) {
  std::string text = "\npasses, device time (median, ms)\n";
  for (const VolumeResult& r : results) {
    if (r.passes.empty()) continue;
    text += formatted("%-36s", describe(r.what).c_str());
    for (const Pass& pass : r.passes)
      text += formatted("  %s %.3f", pass.name.c_str(), pass.device.median / 1000);
    text += '\n';
  }
  return text;
}

Json toJson(const VolumeResult& r) {
  Json json{{"side", r.what.side},
            {"content", describe(r.what.content)},
            {"metric", r.what.metric == Metric::euclidean ? "euclidean" : "chamfer345"}};
  if (!r.skipped.empty()) {
    json["skipped"] = r.skipped;
    return json;
  }
  json["device_us"] = toJson(r.device);
  json["wall_us"] = toJson(r.wall);
  json["host_us"] = toJson(r.host);
  json["differences"] = r.differences;
  json["passes"] = Json::array();
  for (const Pass& pass : r.passes)
    json["passes"].push_back({{"name", pass.name}, {"device_us", toJson(pass.device)}});
  return json;
}

}  // namespace

std::string toTable(const DeviceInfo& device, const std::vector<VolumeResult>& results) {
  std::string text =
      device.name + " (" + device.type + ", " + device.driver +
      ")\ndistance transforms of cubes, milliseconds, median (10th-90th percentile); "
      "device: from one byte a voxel on the device to distances there; host: the "
      "same on " +
      std::to_string(kVolumeThreads) + " threads of the host\n\n";
  text += formatted("%-36s %26s %10s %10s %12s %12s\n", "cube, features, metric", "device", "wall",
                    "ns a voxel", "host", "differences");
  for (const VolumeResult& r : results) text += row(r);
  return text + growthTable(results) + passTable(results);
}

std::string toJson(const DeviceInfo& device, const std::vector<VolumeResult>& results) {
  Json json{{"device", {{"name", device.name}, {"type", device.type}, {"driver", device.driver}}},
            {"host_threads", kVolumeThreads},
            {"volumes", Json::array()}};
  for (const VolumeResult& r : results) json["volumes"].push_back(toJson(r));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace glint::bench
