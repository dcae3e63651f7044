#include <algorithm>
#include <map>

#include "bench/report.h"
#include "bench/volumes.h"

namespace glint::bench {
namespace {

constexpr int kVolumeWidth = 36;  // width of the column of cases, characters
constexpr Unit kMilliseconds{1000, 3};

double voxels(const VolumeResult& r) {
  const double side = r.what.side;
  return side * side * side;
}

void addRow(const VolumeResult& r, Table& table) {
  const std::string name = describe(r.what);
  if (!r.skipped.empty()) return table.addSkipped(name, r.skipped);
  table.add({name, spread(r.device, kMilliseconds), formatted("%.3f", r.wall.median / 1000),
             formatted("%.4f", deviceTime(r) * 1000 / voxels(r)), median(r.host, {1000, 1}),
             std::to_string(r.differences)});
}

/// The times of the fastest and the slowest content of one size and metric.
struct Range {
  double least = 0, most = 0;  // us
  double voxels = 0;
};

std::string growthTable(const std::vector<VolumeResult>& results) {
  std::map<std::pair<bool, uint32_t>, Range> ranges;
  for (const VolumeResult& r : results) {
    if (!r.skipped.empty()) continue;
    const double time = deviceTime(r);
    Range& range = ranges
                       .try_emplace({r.what.metric != gpu::Metric::euclidean, r.what.side}, time,
                                    time, voxels(r))
                       .first->second;
    range.least = std::min(range.least, time);
    range.most = std::max(range.most, time);
  }
  Table table({-24, 12, 12, 14, 22});
  table.add({"worst of all contents", "worst ms", "best ms", "worst/best", "ns a voxel, worst"});
  for (const auto& [key, range] : ranges) {
    const std::string name =
        std::to_string(key.second) + "^3 " + (key.first ? "chamfer 3-4-5" : "euclidean");
    table.add({name, formatted("%.3f", range.most / 1000), formatted("%.3f", range.least / 1000),
               formatted("%.2f", range.most / range.least),
               formatted("%.4f", range.most * 1000 / range.voxels)});
  }
  return '\n' + table.text();
}

std::string passTable(const std::vector<VolumeResult>& results) {
  Table table({-kVolumeWidth});
  for (const VolumeResult& r : results) {
    if (!r.passes.empty()) table.addPasses(describe(r.what), r.passes, kMilliseconds);
  }
  return "\npasses, device time (median, ms)\n" + table.text();
}

Json toJson(const VolumeResult& r) {
  Json json{{"side", r.what.side},
            {"content", describe(r.what.content)},
            {"metric", r.what.metric == gpu::Metric::euclidean ? "euclidean" : "chamfer345"}};
  if (!r.skipped.empty()) {
    json["skipped"] = r.skipped;
    return json;
  }
  json["device_us"] = toJson(r.device);
  json["wall_us"] = toJson(r.wall);
  json["host_us"] = toJson(r.host);
  json["differences"] = r.differences;
  json["passes"] = toJson(r.passes);
  return json;
}

}  // namespace

std::string toTable(const gpu::DeviceInfo& device, const std::vector<VolumeResult>& results) {
  Table table({-kVolumeWidth, 26, 10, 10, 12, 12});
  table.add({"cube, features, metric", "device", "wall", "ns a voxel", "host", "differences"});
  for (const VolumeResult& r : results) addRow(r, table);
  return describe(device) +
         "\ndistance transforms of cubes, milliseconds, median (10th-90th percentile); device: "
         "from one byte a voxel on "
         "the device to distances there; host: the same on " +
         std::to_string(kVolumeThreads) + " threads of the host\n\n" + table.text() +
         growthTable(results) + passTable(results);
}

std::string toJson(const gpu::DeviceInfo& device, const std::vector<VolumeResult>& results) {
  Json json{
      {"device", toJson(device)}, {"host_threads", kVolumeThreads}, {"volumes", Json::array()}};
  for (const VolumeResult& r : results) json["volumes"].push_back(toJson(r));
  return toText(json);
}

}  // namespace glint::bench
