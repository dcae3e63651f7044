#include "bench/duration_json.h"
#include "bench/filters.h"
#include "bench/formatted.h"

namespace glint::bench {
namespace {

/// On a device without time stamps wall times stand in.
double deviceTime(const FilterResult& r) {
  return r.device.count == 0 ? r.wall.median : r.device.median;
}

std::string row(const FilterResult& r) {
  const std::string name = describe(r.what);
  if (!r.skipped.empty()) return formatted("%-50s skipped: %s\n", name.c_str(), r.skipped.c_str());
  std::string text = formatted("%-50s %28s %10.1f %10.1f", name.c_str(), spread(r.device).c_str(),
                               r.wall.median, r.cpu.median);
  if (!r.peer) return text + '\n';
  return text + formatted(" %26s %10.1f %8.2f %8.2f %11llu %5u  %s\n", spread(r.peer->wall).c_str(),
                          r.peer->cpu.median, deviceTime(r) / r.peer->wall.median,
                          r.cpu.median / r.peer->cpu.median,
                          static_cast<unsigned long long>(r.differences), r.most,
                          r.peer->name.c_str());
}

/// What a chain's filters take one by one, where each was measured; else 0.
double sumOfParts(const std::vector<FilterResult>& results, const FilterResult& whole) {
  double sum = 0;
  for (const std::string& use : whole.what.chain) {
    double part = 0;
    for (const FilterResult& r : results) {
      if (r.skipped.empty() && r.what.image == whole.what.image && r.what.chain.size() == 1 &&
          r.what.chain[0] == use)
        part = deviceTime(r);
    }
    if (part == 0) return 0;
    sum += part;
  }
  return sum;
}

std::string chainTable(const std::vector<FilterResult>& results) {
  std::string text;
  for (const FilterResult& r : results) {
    const double sum = r.what.chain.size() < 2 ? 0 : sumOfParts(results, r);
    if (sum > 0 && r.skipped.empty())
      text += formatted("%-50s %.1f, its filters one by one %.1f\n", describe(r.what).c_str(),
                        deviceTime(r), sum);
  }
  return text.empty() ? text : "\nchains\n" + text;
}

std::string passTable(const std::vector<FilterResult>& results) {
  std::string text;
  for (const FilterResult& r : results) {
    if (r.passes.size() < 2) continue;
    text += formatted("%-50s", describe(r.what).c_str());
    for (const Pass& pass : r.passes)
      text += formatted("  %s %.1f", pass.name.c_str(), pass.device.median);
    text += '\n';
  }
  return text.empty() ? text : "\npasses, device time (median)\n" + text;
}

Json toJson(const FilterResult& r) {
  const ImageFormat& image = r.what.image;
  Json json{{"name", r.what.name},    {"chain", r.what.chain},      {"width", image.width},
            {"height", image.height}, {"channels", image.channels}, {"bits", image.bits}};
  if (!r.skipped.empty()) {
    json["skipped"] = r.skipped;
    return json;
  }
  json["device_us"] = toJson(r.device);
  json["wall_us"] = toJson(r.wall);
  json["cpu_us"] = toJson(r.cpu);
  json["passes"] = Json::array();
  for (const Pass& pass : r.passes)
    json["passes"].push_back({{"name", pass.name}, {"device_us", toJson(pass.device)}});
  if (r.peer) {
    json["peer"] = {{"name", r.peer->name},
                    {"wall_us", toJson(r.peer->wall)},
                    {"cpu_us", toJson(r.peer->cpu)},
                    {"differences", r.differences},
                    {"most", r.most}};
  }
  return json;
}

}  // namespace

std::string toTable(const DeviceInfo& device, uint32_t peerThreads,
                    const std::vector<FilterResult>& results) {
  std::string text = device.name + " (" + device.type + ", " + device.driver +
                     ")\nfilters, microseconds, median (10th-90th percentile); device: from the "
                     "frame on the device to the filtered plane there; cpu: of all threads\n\n";
  text += formatted("%-50s %28s %10s %10s", "filter", "device", "wall", "cpu");
  if (peerThreads > 0)
    text += formatted(" %26s %10s %8s %8s %11s %5s",
                      formatted("OpenCV, %u threads", peerThreads).c_str(), "cpu", "device /",
                      "cpu /", "differences", "most");
  text += '\n';
  for (const FilterResult& r : results) text += row(r);
  return text + chainTable(results) + passTable(results);
}

std::string toJson(const DeviceInfo& device, uint32_t peerThreads,
                   const std::vector<FilterResult>& results) {
  Json json{{"device", {{"name", device.name}, {"type", device.type}, {"driver", device.driver}}},
            {"peer_threads", peerThreads},
            {"filters", Json::array()}};
  for (const FilterResult& r : results) json["filters"].push_back(toJson(r));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace glint::bench
