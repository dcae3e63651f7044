#include "app/motion/labels/sleap_csv.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/base/csv_reader.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::motion {
namespace {

constexpr std::string_view kBegin = "track,frame_idx,";

/// Returns the nodes whose x and y are in the header, in its order.
std::vector<std::string> nodesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string header;
  std::getline(file, header);
  if (header.ends_with('\r')) header.pop_back();
  std::vector<std::string> nodes;
  std::string_view rest = header;
  for (size_t end = 0; end != rest.npos; rest.remove_prefix(std::min(end + 1, rest.size()))) {
    end = rest.find(',');
    std::string_view name = rest.substr(0, end);
    if (name.size() > 1 && name.starts_with('"') && name.ends_with('"'))
      name = name.substr(1, name.size() - 2);
    if (name.ends_with(".x")) nodes.emplace_back(name.substr(0, name.size() - 2));
  }
  return nodes;
}

}  // namespace

InstanceLabels::InstanceLabels(const std::vector<std::string>& tracks,
                               const std::vector<std::string>& nodes)
    : nodes_(nodes.size()) {
  for (const std::string& track : tracks)
    for (const std::string& node : nodes)
      all_.push_back(tracks.size() > 1 ? track + ":" + node : node);
  std::set<std::string> seen;
  for (const std::string& label : all_)
    if (!seen.insert(label).second)
      throw Error("two of its points would have the label \"{}\"", shortened(label, 60));
}

bool isSleapCsv(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(kBegin.size(), ' ');
  return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == kBegin;
}

PointTable readSleapCsv(const std::string& path) {
  const std::vector<std::string> nodes = nodesOf(path);
  if (nodes.empty()) throw Error("{}: no column ends in .x, so there is no node", path);
  std::vector<std::string> names;
  for (const std::string& node : nodes) names.push_back(node + ".x"), names.push_back(node + ".y");
  std::vector<std::string_view> columns{"track", "frame_idx"};
  columns.insert(columns.end(), names.begin(), names.end());
  base::CsvReader csv(path, columns);
  std::vector<std::string> tracks;
  std::vector<PointRow> rows;
  std::vector<std::pair<size_t, size_t>> owners;  // track and node of each row
  std::set<std::pair<long, size_t>> instances;    // frame and track
  while (csv.next()) {
    const std::string track(csv.text(0));
    const auto known = std::ranges::find(tracks, track);
    const auto index = static_cast<size_t>(known - tracks.begin());
    bool any = false;
    for (size_t node = 0; node < nodes.size(); ++node) {
      const size_t x = 2 + 2 * node, y = x + 1;
      if (csv.missing(x) && csv.missing(y)) continue;
      PointRow row;
      row.frame = csv.value<long>(1);
      row.line = csv.line();
      row.dot = {{csv.value<double>(x), csv.value<double>(y)}, {1, 1}};
      rows.push_back(row);
      owners.emplace_back(index, node);
      any = true;
    }
    if (!any) continue;
    if (known == tracks.end()) tracks.push_back(track);
    if (!instances.emplace(csv.value<long>(1), index).second)
      throw Error("{}, line {}: {} is in frame {} twice; instances need tracks", path, csv.line(),
                  track.empty() ? std::string("an instance without a track")
                                : "the track \"" + shortened(track, 60) + "\"",
                  csv.value<long>(1));
  }
  PointTable table;
  try {
    const InstanceLabels labels(tracks, nodes);
    for (size_t i = 0; i < rows.size(); ++i)
      rows[i].label = labels.of(owners[i].first, owners[i].second);
    table.labels = labels.all();
  } catch (const Error& error) {
    throw Error("{}: {}", path, error.what());
  }
  std::ranges::stable_sort(rows, {}, &PointRow::frame);
  table.rows = std::move(rows);
  return table;
}

}  // namespace glint::motion
