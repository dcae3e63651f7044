#include "bench/result_text.h"

#include <algorithm>

#include "bench/report.h"

namespace glint::bench {
namespace {

constexpr int kCaseWidth = 38;  // width of the column of cases, characters

void addRow(const Result& r, Table& table) {
  const std::string name = describe(r.what);
  if (!r.skipped.empty()) return table.addSkipped(name, r.skipped);
  table.add(
      {name, spread(r.detection.device), median(r.detection.upload), spread(r.detection.wall),
       formatted("%6llu/%-6llu", static_cast<unsigned long long>(r.found),
                 static_cast<unsigned long long>(uint64_t{r.what.markers} * r.what.format.layers)),
       median(r.statistics.device), median(r.statistics.wall)});
}

std::string passTable(const std::vector<Result>& results) {
  Table table({-kCaseWidth});
  for (const Result& r : results) {
    if (r.detection.passes.empty()) continue;
    table.addPasses(describe(r.what), r.detection.passes);
    table.addPasses("  statistics alone", r.statistics.passes);
  }
  return titled("passes, device time (median)", table);
}

std::string partTable(const std::vector<Result>& results) {
  Table table({-kCaseWidth});
  for (const Result& r : results) {
    const Timings& t = r.detection;
    if (t.write.count != 0)
      table.addPasses(describe(r.what),
                      {{"write", t.write}, {"submit", t.submit}, {"wait", t.wait}});
  }
  return titled("parts of the wall time (median)", table);
}

std::string peerTable(const Conditions& conditions, const std::vector<Result>& results) {
  Table table({-44, 26, 7, 13, 12});
  table.add({formatted("peers, OpenCV on %u threads", conditions.peerThreads), "wall", "found",
             "device / peer", "wall / peer"});
  bool compared = false;
  for (const Result& r : results) {
    if (r.peers.empty()) continue;
    compared = true;
    table.add({describe(r.what)});
    for (const Peer& peer : r.peers) {
      const Timings& own = peer.statistics ? r.statistics : r.detection;
      table.add(
          {"  " + peer.name, spread(peer.wall), std::to_string(peer.found),
           own.device.count == 0 ? "-" : formatted("%.2f", own.device.median / peer.wall.median),
           formatted("%.2f", own.wall.median / peer.wall.median)});
    }
  }
  return compared ? '\n' + table.text() : "";
}

std::string growthTable(const std::vector<Result>& results) {
  Table table({-70, 6, 0});
  for (const Growth& g : growth(results))
    table.add({g.what, formatted("%.2f", g.ratio), formatted(" (goal: below %.2f)", g.goal)});
  return titled("growth of device time", table);
}

Json toJson(const Timings& timings) {
  return {{"device_us", toJson(timings.device)}, {"upload_us", toJson(timings.upload)},
          {"wall_us", toJson(timings.wall)},     {"write_us", toJson(timings.write)},
          {"submit_us", toJson(timings.submit)}, {"wait_us", toJson(timings.wait)},
          {"passes", toJson(timings.passes)}};
}

Json toJson(const Result& r) {
  const gpu::ImageFormat& image = r.what.format.image;
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
    all.push_back({describe(r.what) + ", over 3840x2160",
                   deviceTime(r.detection) / deviceTime(other->detection), 4.4});
}

void addLayerGrowth(const std::vector<Result>& results, const Result& r, std::vector<Growth>& all) {
  Case one = r.what;
  if (one.format.layers == 1) return;
  one.format.layers = 1;
  const Result* other = find(results, one);
  const std::string count = std::to_string(r.what.format.layers);
  if (other == nullptr) return;
  all.push_back({describe(r.what) + ", over " + count + " runs of one layer",
                 deviceTime(r.detection) / (r.what.format.layers * deviceTime(other->detection)),
                 1});
}

void addMarkerGrowth(const std::vector<Result>& results, const Result& r,
                     std::vector<Growth>& all) {
  Case fewest = r.what;
  if (r.what.markers != 1024) return;
  fewest.markers = 1;
  if (const Result* other = find(results, fewest))
    all.push_back({describe(r.what) + ", over 1 marker",
                   deviceTime(r.detection) / deviceTime(other->detection), 1.3});
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
  Table table({-kCaseWidth, 26, 9, 26, 13, 10, 10});
  table.add({"whole detection", "device", "upload", "wall",
             formatted("%6s/%-6s", "found", "placed"), "stats dev", "stats wall"});
  for (const Result& r : results) addRow(r, table);
  return describe(conditions.device) +
         "\nmicroseconds, median (10th-90th percentile); device: without the upload; wall: with "
         "writing the frame and "
         "reading results\n\n" +
         table.text() + passTable(results) + partTable(results) + peerTable(conditions, results) +
         growthTable(results);
}

std::string toJson(const Conditions& conditions, const std::vector<Result>& results) {
  Json json{{"device", toJson(conditions.device)},
            {"peer_threads", conditions.peerThreads},
            {"cases", Json::array()},
            {"growth", Json::array()}};
  for (const Result& r : results) json["cases"].push_back(toJson(r));
  for (const Growth& g : growth(results))
    json["growth"].push_back({{"what", g.what}, {"ratio", g.ratio}, {"goal", g.goal}});
  return toText(json);
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
