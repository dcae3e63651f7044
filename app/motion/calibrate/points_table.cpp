#include "app/motion/calibrate/points_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "app/base/csv_reader.h"
#include "app/base/quantile.h"
#include "config/error.h"

namespace glint::motion {
namespace {

/// The columns in the order in which the reader is asked for them.
enum Column : size_t { camera, frame, x, y, state, time_s, sigma_x, sigma_y, set, label };

/// Moments by their time.
using Moments = std::map<double, Moment>;

/// Returns the median interval between consecutive times, or infinity if there are fewer than two.
double medianStep(std::vector<double> times) {
  if (times.size() < 2) return std::numeric_limits<double>::infinity();
  for (size_t i = 0; i + 1 < times.size(); ++i) times[i] = times[i + 1] - times[i];
  times.pop_back();
  return base::medianOf(std::move(times));
}

/// Dots of one camera by the time of their frame.
using CameraFrames = std::map<double, std::vector<Dot>>;

/// Adds a camera's frame to the nearest moment within `reach` that has no frame of this camera yet.
/// Makes a new moment if there is none.
void place(Moments& moments, double time, size_t index, size_t cameras, double reach,
           const std::vector<Dot>& dots) {
  auto best = moments.end();
  const auto consider = [&](Moments::iterator it) {
    if (it == moments.end() || std::abs(it->first - time) > reach ||
        !it->second.views[index].dots.empty())
      return;
    if (best == moments.end() || std::abs(it->first - time) < std::abs(best->first - time))
      best = it;
  };
  const auto after = moments.lower_bound(time);
  consider(after);
  if (after != moments.begin()) consider(std::prev(after));
  if (best == moments.end()) {
    best = moments.try_emplace(time).first;
    best->second.time = time;
    best->second.views.resize(cameras);
  }
  best->second.views[index] = {dots, time - best->first};
}

/// Returns the time of a row on the recording's clock: s, or the frame number if there are no
/// times.
double timeOf(const PointRow& row, const PointTable& table,
              const std::map<size_t, double>& offsets) {
  if (!table.timed) return static_cast<double>(row.frame);
  const auto offset = offsets.find(row.camera);
  return row.time + (offset == offsets.end() ? 0 : offset->second);
}

/// Throws Error if a point lies outside its image.
void checkRow(const PointRow& row, const std::vector<FrameExtent>& sizes, const std::string& path) {
  if (row.camera >= sizes.size())
    throw Error(fmt::format("{} has points of camera {}, but --size is given for {} cameras", path,
                            row.camera, sizes.size()));
  const FrameExtent& size = sizes[row.camera];
  const Eigen::Vector2d& at = row.dot.at;
  if (!(at.x() >= -1 && at.x() <= size.width && at.y() >= -1 && at.y() <= size.height))
    throw Error(
        fmt::format("{}: camera {}, frame {} has a point at ({:g}, {:g}), outside its {}x{} pixels",
                    path, row.camera, row.frame, at.x(), at.y(), size.width, size.height));
}

}  // namespace

PointReader::PointReader(const std::string& path) {
  constexpr std::array<std::string_view, 4> kNeeded{"camera", "frame", "x", "y"};
  constexpr std::array<std::string_view, 6> kOthers{"state",   "time_s", "sigma_x",
                                                    "sigma_y", "set",    "label"};
  csv_ = std::make_unique<base::CsvReader>(path, kNeeded, kOthers);
}

PointReader::~PointReader() = default;

bool PointReader::timed() const {
  return csv_->has(time_s);
}

bool PointReader::sigmasKnown() const {
  return csv_->has(sigma_x) && csv_->has(sigma_y);
}

bool PointReader::setsKnown() const {
  return csv_->has(set);
}

/// Returns the index in labels_ of a row's label, or -1 if it has none.
int PointReader::labelOf(std::string_view text) {
  if (text.empty()) return -1;
  const auto [known, isNew] = labelIndex_.emplace(text, static_cast<int>(labels_.size()));
  if (isNew) labels_.push_back(known->first);
  return known->second;
}

std::optional<PointRow> PointReader::next() {
  const base::CsvReader& csv = *csv_;
  while (csv_->next()) {
    if (csv.has(state) && csv.text(state) != "measured") continue;
    PointRow row;
    row.camera = csv.value<uint16_t>(camera);
    if (row.camera >= kMostCameras) csv.refuse(camera);
    row.frame = csv.value<long>(frame);
    row.line = csv.line();
    if (setsKnown()) row.set = csv.value<long>(set);
    if (csv.has(label)) row.label = labelOf(csv.text(label));
    row.dot = {{csv.value<double>(x), csv.value<double>(y)}, {1, 1}};
    if (timed()) row.time = csv.value<double>(time_s);
    if (sigmasKnown()) {
      row.dot.sigma = {csv.value<double>(sigma_x), csv.value<double>(sigma_y)};
      if (row.dot.sigma.x() < 0) csv.refuse(sigma_x);
      if (row.dot.sigma.y() < 0) csv.refuse(sigma_y);
      row.dot.sigma = row.dot.sigma.cwiseMax(kLeastSigma);
    }
    return row;
  }
  return std::nullopt;
}

PointTable readPoints(const std::string& path) {
  PointReader reader(path);
  PointTable table{.rows = {},
                   .timed = reader.timed(),
                   .sigmasKnown = reader.sigmasKnown(),
                   .setsKnown = reader.setsKnown()};
  while (const auto row = reader.next()) table.rows.push_back(*row);
  table.labels = reader.labels();
  return table;
}

std::vector<FrameExtent> sizesOfAll(const PointTable& table, std::vector<FrameExtent> sizes) {
  size_t cameras = sizes.size();
  if (cameras == 1)
    for (const PointRow& row : table.rows) cameras = std::max(cameras, row.camera + 1);
  sizes.resize(cameras, sizes.front());
  return sizes;
}

LightRecording matchMoments(const PointTable& table, std::vector<FrameExtent> sizes,
                            const std::map<size_t, double>& offsets, const std::string& path) {
  if (table.rows.empty()) throw Error(fmt::format("{} has no measured points", path));
  sizes = sizesOfAll(table, std::move(sizes));
  const size_t cameras = sizes.size();
  for (const auto& [index, seconds] : offsets) {
    if (!table.timed)
      throw UsageError(fmt::format("--offset needs times, and {} has no column time_s", path));
    if (index >= cameras)
      throw UsageError(
          fmt::format("--offset {},{}: there are cameras 0 to {}", index, seconds, cameras - 1));
  }
  std::vector<CameraFrames> frames(cameras);
  for (const PointRow& row : table.rows) {
    checkRow(row, sizes, path);
    frames[row.camera][timeOf(row, table, offsets)].push_back(row.dot);
  }
  double step = std::numeric_limits<double>::infinity();
  std::vector<size_t> order;
  for (size_t c = 0; c < cameras; ++c) {
    std::vector<double> times;
    for (const auto& [time, dots] : frames[c]) times.push_back(time);
    step = std::min(step, medianStep(std::move(times)));
    order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return frames[a].size() > frames[b].size(); });
  const double reach = table.timed && std::isfinite(step) ? step / 2 : 0;
  Moments moments;
  for (const size_t c : order)
    for (const auto& [time, dots] : frames[c]) place(moments, time, c, cameras, reach, dots);

  LightRecording recording{std::move(sizes), {}, table.timed, table.sigmasKnown, 0};
  for (auto& [time, moment] : moments) {
    for (const View& view : moment.views)
      recording.worstDelay = std::max(recording.worstDelay, std::abs(view.delay));
    recording.moments.push_back(std::move(moment));
  }
  return recording;
}

std::optional<size_t> momentOf(const PointTable& table, const LightRecording& recording,
                               const std::map<size_t, double>& offsets, long frame) {
  const PointRow* first = nullptr;
  for (const PointRow& row : table.rows)
    if (row.frame == frame && (first == nullptr || row.camera < first->camera)) first = &row;
  if (first == nullptr) return std::nullopt;
  const double time = timeOf(*first, table, offsets);
  const auto off = [&](const Moment& moment) {
    return std::abs(moment.time + moment.views[first->camera].delay - time);
  };
  const auto nearest =
      std::min_element(recording.moments.begin(), recording.moments.end(),
                       [&](const Moment& a, const Moment& b) { return off(a) < off(b); });
  return static_cast<size_t>(nearest - recording.moments.begin());
}

}  // namespace glint::motion
