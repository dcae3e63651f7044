#include "bench/filters.h"
#include "bench/report.h"

namespace glint::bench {
namespace {

constexpr int kFilterWidth = 50;  // width of the column of names, characters

void addRow(const FilterResult& r, Table& table) {
  const std::string name = describe(r.what);
  if (!r.skipped.empty()) return table.addSkipped(name, r.skipped);
  std::vector<std::string> cells{name, spread(r.device), formatted("%.1f", r.wall.median),
                                 formatted("%.1f", r.cpu.median)};
  if (const auto& peer = r.peer) {
    cells.insert(cells.end(),
                 {spread(peer->wall), formatted("%.1f", peer->cpu.median),
                  formatted("%.2f", deviceTime(r) / peer->wall.median),
                  formatted("%.2f", r.cpu.median / peer->cpu.median), std::to_string(r.differences),
                  std::to_string(r.most), ' ' + peer->name});
  }
  table.add(cells);
}

/// Returns the sum of the times that a chain's filters take one by one, us; 0 unless each of them
/// was measured.
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
  Table table({-kFilterWidth, 0});
  for (const FilterResult& r : results) {
    const double sum = r.what.chain.size() < 2 ? 0 : sumOfParts(results, r);
    if (sum > 0 && r.skipped.empty())
      table.add(
          {describe(r.what), formatted("%.1f, its filters one by one %.1f", deviceTime(r), sum)});
  }
  return titled("chains", table);
}

std::string passTable(const std::vector<FilterResult>& results) {
  Table table({-kFilterWidth});
  for (const FilterResult& r : results) {
    if (r.passes.size() >= 2) table.addPasses(describe(r.what), r.passes);
  }
  return titled("passes, device time (median)", table);
}

Json toJson(const FilterResult& r) {
  const gpu::ImageFormat& image = r.what.image;
  Json json{{"name", r.what.name},    {"chain", r.what.chain},      {"width", image.width},
            {"height", image.height}, {"channels", image.channels}, {"bits", image.bits}};
  if (!r.skipped.empty()) {
    json["skipped"] = r.skipped;
    return json;
  }
  json["device_us"] = toJson(r.device);
  json["wall_us"] = toJson(r.wall);
  json["cpu_us"] = toJson(r.cpu);
  json["passes"] = toJson(r.passes);
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

std::string toTable(const gpu::DeviceInfo& device, uint32_t peerThreads,
                    const std::vector<FilterResult>& results) {
  Table table({-kFilterWidth, 28, 10, 10, 26, 10, 8, 8, 11, 5, 0});
  std::vector<std::string> titles{"filter", "device", "wall", "cpu"};
  if (peerThreads > 0)
    titles.insert(titles.end(), {formatted("OpenCV, %u threads", peerThreads), "cpu", "device /",
                                 "cpu /", "differences", "most"});
  table.add(titles);
  for (const FilterResult& r : results) addRow(r, table);
  return describe(device) +
         "\nfilters, microseconds, median (10th-90th percentile); device: from the frame on the "
         "device to the filtered "
         "plane there; cpu: of all threads\n\n" +
         table.text() + chainTable(results) + passTable(results);
}

std::string toJson(const gpu::DeviceInfo& device, uint32_t peerThreads,
                   const std::vector<FilterResult>& results) {
  Json json{{"device", toJson(device)}, {"peer_threads", peerThreads}, {"filters", Json::array()}};
  for (const FilterResult& r : results) json["filters"].push_back(toJson(r));
  return toText(json);
}

}  // namespace glint::bench
