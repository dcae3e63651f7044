#include "app/motion/labels/pose_hdf5.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "app/base/isolated.h"
#include "app/motion/calibrate/deeplabcut.h"
#include "app/motion/labels/hdf5_file.h"
#include "app/motion/labels/pickled_names.h"
#include "app/motion/labels/sleap_csv.h"
#include "config/error.h"

namespace glint::motion {
namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr const char* kFrame = "/df_with_missing";  // DeepLabCut's DataFrame
constexpr const char* kTable = "/df_with_missing/table";

/// Returns the value, which must be finite or NaN.
double notInfinite(double value) {
  if (std::isinf(value)) throw Error("a position is infinite");
  return value;
}

PointTable readFrameTable(const Hdf5File& file, const std::string& path) {
  if (!file.has(kTable))
    throw Error(
        "its DataFrame is in pandas' format \"fixed\", in which DeepLabCut keeps labels of single "
        "images; the results for a video are in the format \"table\"");
  const auto pickle = file.attribute(kTable, "values_block_0_kind");
  if (!pickle) throw Error("the names of its columns are missing");
  std::vector<std::string> individuals, parts, coords;
  for (const std::vector<std::string>& name : readPickledNames(*pickle)) {
    if (name.size() != 3 && name.size() != 4)
      throw Error("its columns have {} names instead of scorer, bodypart and coordinate",
                  name.size());
    if (name.size() == 4) individuals.push_back(name[1]);
    parts.push_back(name[name.size() - 2]);
    coords.push_back(name.back());
  }
  DeepLabCutRows rows(individuals, parts, coords);
  const Hdf5File::Rows all = file.rows(kTable, rows.width());
  for (size_t i = 0; i < all.numbers.size(); ++i) {
    const std::span values(all.values.data() + i * rows.width(), rows.width());
    for (const double value : values) notInfinite(value);
    rows.add(all.numbers[i], i + 1, values);
  }
  return rows.take(path);
}

/// The places of SLEAP's axes in the dataset `tracks`: track, xy, node and frame.
using Axes = std::array<size_t, 4>;

Axes axesOf(const Hdf5File& file) {
  constexpr std::array<std::string_view, 4> kNames{"track", "xy", "node", "frame"};
  Axes axes{0, 1, 2, 3};
  const auto dims = file.attribute("/tracks", "dims");
  if (!dims) return axes;
  const auto names = nlohmann::json::parse(*dims, nullptr, false);
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto found = names.is_array() && names.size() == axes.size()
                           ? std::find(names.begin(), names.end(), kNames[i])
                           : names.end();
    if (found == names.end()) throw Error("the attribute dims of /tracks does not name its axes");
    axes[i] = static_cast<size_t>(found - names.begin());
  }
  return axes;
}

PointTable readAnalysis(const Hdf5File& file) {
  const std::vector<uint64_t> shape = file.shape("/tracks");
  if (shape.size() != 4) throw Error("/tracks has {} axes instead of 4", shape.size());
  const Axes axes = axesOf(file);
  const uint64_t tracks = shape[axes[0]], nodes = shape[axes[2]], frames = shape[axes[3]];
  if (shape[axes[1]] != 2)
    throw Error("/tracks has {} coordinates instead of x and y", shape[axes[1]]);
  const std::vector<std::string> nodeNames = file.texts("/node_names");
  std::vector<std::string> trackNames =
      file.has("/track_names") ? file.texts("/track_names") : std::vector<std::string>();
  if (nodeNames.size() != nodes)
    throw Error("/tracks has {} nodes, and /node_names {}", nodes, nodeNames.size());
  if (trackNames.empty() && tracks == 1) trackNames.emplace_back();
  if (trackNames.size() != tracks)
    throw Error("/tracks has {} tracks, and /track_names {}", tracks, trackNames.size());
  const InstanceLabels labels(trackNames, nodeNames);
  const std::vector<double> values = file.numbers("/tracks");
  std::array<uint64_t, 4> steps{};  // distance of neighbours along each axis of the dataset
  uint64_t step = 1;
  for (size_t i = steps.size(); i-- > 0; step *= shape[i]) steps[i] = step;
  PointTable table;
  table.labels = labels.all();
  for (uint64_t frame = 0; frame < frames; ++frame)
    for (uint64_t track = 0; track < tracks; ++track)
      for (uint64_t node = 0; node < nodes; ++node) {
        const uint64_t at = frame * steps[axes[3]] + track * steps[axes[0]] + node * steps[axes[2]];
        const double x = notInfinite(values[at]), y = notInfinite(values[at + steps[axes[1]]]);
        if (std::isnan(x) || std::isnan(y)) continue;
        PointRow row;
        row.frame = static_cast<long>(frame);
        row.line = frame + 1;
        row.dot = {{x, y}, {1, 1}};
        row.label = labels.of(track, node);
        table.rows.push_back(row);
      }
  return table;
}

PointTable readHere(const std::string& path) {
  const Hdf5File file(path);
  if (file.has(kFrame)) return readFrameTable(file, path);
  if (file.has("/tracks") && file.has("/node_names")) return readAnalysis(file);
  if (file.has("/instances") && file.has("/frames"))
    throw Error("it is a project of SLEAP; export an analysis file (HDF5 or CSV) from it");
  throw Error("it holds neither DeepLabCut's df_with_missing nor SLEAP's tracks");
}

/// The part of a row that is passed on between processes.
struct PassedRow {
  int64_t frame;
  uint64_t line;
  double x, y;
  int64_t label;
};

void put(std::string& bytes, uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string& bytes, const std::vector<std::string>& texts) {
  put(bytes, texts.size());
  for (const std::string& text : texts) {
    put(bytes, text.size());
    bytes += text;
  }
}

std::string pack(const PointTable& table) {
  std::string bytes;
  put(bytes, table.labels);
  put(bytes, table.remarks);
  put(bytes, table.rows.size());
  for (const PointRow& row : table.rows) {
    const PassedRow passed{row.frame, row.line, row.dot.at.x(), row.dot.at.y(), row.label};
    bytes.append(reinterpret_cast<const char*>(&passed), sizeof passed);
  }
  return bytes;
}

/// Reads what pack() has made. Throws Error if something is missing, because the child has ended
/// too early.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T take() {
    T value;
    std::memcpy(&value, bytes(sizeof value).data(), sizeof value);
    return value;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> all;
    for (auto count = take<uint64_t>(); count > 0; --count)
      all.emplace_back(bytes(take<uint64_t>()));
    return all;
  }

 private:
  std::string_view bytes(size_t count) {
    if (count > rest_.size()) throw Error("it could not be read to its end");
    const std::string_view part = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return part;
  }

  std::string_view rest_;
};

PointTable unpack(std::string_view bytes) {
  Unpacker from(bytes);
  PointTable table;
  table.labels = from.texts();
  table.remarks = from.texts();
  for (auto count = from.take<uint64_t>(); count > 0; --count) {
    const auto passed = from.take<PassedRow>();
    PointRow row;
    row.frame = static_cast<long>(passed.frame);
    row.line = passed.line;
    row.dot = {{passed.x, passed.y}, {1, 1}};
    row.label = static_cast<int>(passed.label);
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

bool isHdf5(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(kSignature.size(), ' ');
  return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == kSignature;
}

PointTable readPoseHdf5(const std::string& path) {
  try {
    return unpack(base::runIsolated([&] { return pack(readHere(path)); },
                                    "it is damaged: libhdf5 cannot read it"));
  } catch (const Error& error) {
    throw Error("{}: {}", path, error.what());
  }
}

}  // namespace glint::motion
