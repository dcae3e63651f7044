#include "bench/result_text.h"

#include <algorithm>

#include "bench/duration_json.h"
#include "bench/formatted.h"

namespace glint::bench {
namespace {

std::string median(const Duration& d) {
  return d.count == 0 ? "-" : formatted("%.1f", d.median);
}

std::string caseRow(const Result& r) {
  const std::string name = describe(r.what);
  if (!r.skipped.empty()) return formatted("%-38s skipped: %s\n", name.c_str(), r.skipped.c_str());
  return formatted("%-38s %26s %9s %26s %6llu/%-6llu %10s %10s\n", name.c_str(),
                   spread(r.detection.device).c_str(), median(r.detection.upload).c_str(),
                   spread(r.detection.wall).c_str(), static_cast<unsigned long long>(r.found),
                   static_cast<unsigned long long>(uint64_t{r.what.markers} * r.what.format.layers),
                   median(r.statistics.device).c_str(), median(r.statistics.wall).c_str());
}

std::string passRow(const std::string& name, const Timings& timings) {
  std::string text = formatted("%-38s", name.c_str());
  for (const Pass& pass : timings.passes)
    text += formatted("  %s %.1f", pass.name.c_str(), pass.device.median);
  return text + '\n';
}

std::string passTable(const std::vector<Result>& results) {
  std::string text;
  for (const Result& r : results) {
    if (r.detection.passes.empty()) continue;
    text += passRow(describe(r.what), r.detection);
    text += passRow("  statistics alone", r.statistics);
  }
  return text.empty() ? text : "\npasses, device time (median)\n" + text;
}

std::string partTable(const std::vector<Result>& results) {
  std::string text;
  for (const Result& r : results) {
    const Timings& t = r.detection;
    if (t.write.count == 0) continue;
    text += formatted("%-38s  write %.1f  submit %.1f  wait %.1f\n", describe(r.what).c_str(),
                      t.write.median, t.submit.median, t.wait.median);
  }
  return text.empty() ? text : "\nparts of the wall time (median)\n" + text;
}

std::string peerTable(const Conditions& conditions, const std::vector<Result>& results) {
  std::string text;
  for (const Result& r : results) {
    if (r.peers.empty()) continue;
    text += describe(r.what) + '\n';
    for (const Peer& peer : r.peers) {
      const Timings& own = peer.statistics ? r.statistics : r.detection;
      text += formatted("  %-42s %26s %7llu", peer.name.c_str(), spread(peer.wall).c_str(),
                        static_cast<unsigned long long>(peer.found));
      text += own.device.count == 0 ? formatted(" %13s", "-")
                                    : formatted(" %13.2f", own.device.median / peer.wall.median);
      text += formatted(" %12.2f\n", own.wall.median / peer.wall.median);
    }
  }
  if (text.empty()) return text;
  return formatted("\n%-44s %26s %7s %13s %12s\n",
                   formatted("peers, OpenCV on %u threads", conditions.peerThreads).c_str(), "wall",
                   "found", "device / peer", "wall / peer") +
         text;
}

std::string growthTable(const std::vector<Result>& results) {
  std::string text;
  for (const Growth& g : growth(results))
    text += formatted("%-70s %6.2f  (goal: below %.2f)\n", g.what.c_str(), g.ratio, g.goal);
  return text.empty() ? text : "\ngrowth of device time\n" + text;
}

Json toJson(const Timings& timings) {
  Json passes = Json::array();
  for (const Pass& pass : timings.passes)
    passes.push_back({{"name", pass.name}, {"device_us", toJson(pass.device)}});
  return {{"device_us", toJson(timings.device)},
          {"upload_us", toJson(timings.upload)},
          {"wall_us", toJson(timings.wall)},
          {"write_us", toJson(timings.write)},
          {"submit_us", toJson(timings.submit)},
          {"wait_us", toJson(timings.wait)},
          {"passes", passes}};
}

Json toJson(const Result& r) {
  const ImageFormat& image = r.what.format.image;
  Json json{
      {"width", image.width},       {"height", image.height}, {"layers", r.what.format.layers},
      {"channels", image.channels}, {"bits", image.bits},     {"markers", r.what.markers}};
  if (!r.skipped.empty()) {
    json["skipped"] = r.skipped;
    return json;
  }
  json["found"] = r.found;
  json["threshold"] = r.threshold;
  json["detection"] = toJson(r.detection);
  json["statistics"] = toJson(r.statistics);
  json["peers"] = Json::array();
  for (const Peer& peer : r.peers) {
    json["peers"].push_back({{"name", peer.name},
                             {"compares_with", peer.statistics ? "statistics" : "detection"},
                             {"wall_us", toJson(peer.wall)},
                             {"found", peer.found}});
  }
  return json;
}

double deviceTime(const Result& r) {
  const Timings& t = r.detection;
  return t.device.count == 0 ? t.wall.median : t.device.median;
}

const Result* find(const std::vector<Result>& results, const Case& what) {
  const auto found = std::find_if(results.begin(), results.end(), [&](const Result& r) {
    return r.what == what && r.skipped.empty();
  });
  return found == results.end() ? nullptr : &*found;
}

void addSizeGrowth(const std::vector<Result>& results, const Result& r, std::vector<Growth>& all) {
  Case smaller = r.what;
  if (smaller.format.image.width != 7680) return;
  smaller.format.image.width = 3840;
  smaller.format.image.height = 2160;
  if (const Result* other = find(results, smaller))
    all.push_back({describe(r.what) + ", over 3840x2160", deviceTime(r) / deviceTime(*other), 4.4});
}

void addLayerGrowth(const std::vector<Result>& results, const Result& r, std::vector<Growth>& all) {
  Case one = r.what;
  if (one.format.layers == 1) return;
  one.format.layers = 1;
  const Result* other = find(results, one);
  const std::string count = std::to_string(r.what.format.layers);
  if (other == nullptr) return;
  all.push_back({describe(r.what) + ", over " + count + " runs of one layer",
                 deviceTime(r) / (r.what.format.layers * deviceTime(*other)), 1});
}

void addMarkerGrowth(const std::vector<Result>& results, const Result& r,
                     std::vector<Growth>& all) {
  Case fewest = r.what;
  if (r.what.markers != 1024) return;
  fewest.markers = 1;
  if (const Result* other = find(results, fewest))
    all.push_back({describe(r.what) + ", over 1 marker", deviceTime(r) / deviceTime(*other), 1.3});
}

}  // namespace

std::vector<Growth> growth(const std::vector<Result>& results) {
  std::vector<Growth> all;
  for (const auto& add : {addSizeGrowth, addMarkerGrowth, addLayerGrowth}) {
    for (const Result& r : results) {
      if (r.skipped.empty()) add(results, r, all);
    }
  }
  return all;
}

std::string toTable(const Conditions& conditions, const std::vector<Result>& results) {
  std::string text =
      conditions.device.name + " (" + conditions.device.type + ", " + conditions.device.driver +
      ")\nmicroseconds, median (10th-90th percentile); device: without the upload; wall: with "
      "writing the frame and reading results\n\n";
  text += formatted("%-38s %26s %9s %26s %6s/%-6s %10s %10s\n", "whole detection", "device",
                    "upload", "wall", "found", "placed", "stats dev", "stats wall");
  for (const Result& r : results) text += caseRow(r);
  return text + passTable(results) + partTable(results) + peerTable(conditions, results) +
         growthTable(results);
}

std::string toJson(const Conditions& conditions, const std::vector<Result>& results) {
  Json json{{"device",
             {{"name", conditions.device.name},
              {"type", conditions.device.type},
              {"driver", conditions.device.driver}}},
            {"peer_threads", conditions.peerThreads},
            {"cases", Json::array()},
            {"growth", Json::array()}};
  for (const Result& r : results) json["cases"].push_back(toJson(r));
  for (const Growth& g : growth(results))
    json["growth"].push_back({{"what", g.what}, {"ratio", g.ratio}, {"goal", g.goal}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string toCsv(const std::vector<Result>& results) {
  std::string text =
      "case,camera,rank,peak_x,peak_y,peak,x,y,mass,radius,eccentricity,sigma_x,sigma_y,flags\n";
  for (const Result& r : results) {
    for (size_t camera = 0; camera < r.markers.size(); ++camera) {
      uint32_t rank = 0;
      for (const shared::Detection& d : r.markers[camera]) {
        text += formatted("\"%s\",%zu,%u,%u,%u,%u,%.6f,%.6f,%.3f,%.5f,%.5f,%.6f,%.6f,%u\n",
                          describe(r.what).c_str(), camera, ++rank, d.peakX, d.peakY, d.peak,
                          double{d.x}, double{d.y}, double{d.mass}, double{d.radius},
                          double{d.eccentricity}, double{d.sigmaX}, double{d.sigmaY}, d.flags);
      }
    }
  }
  return text;
}

}  // namespace glint::bench
