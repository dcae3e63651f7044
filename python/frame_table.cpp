#include "python/frame_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <variant>

#include <fmt/format.h>

#include "app/output/tables/tables.h"

namespace glint::python {
namespace {

/// The table with a row for every confirmed track in a frame.
struct LiveTable {
  using Row = output::TracksTable::Row;
  static std::span<const output::Column<Row>> columns() { return output::TracksTable::columns(); }
  static void rows(const motion::Frame& frame, size_t camera, const auto& take) {
    for (const motion::TrackRow& row : frame.cameras[camera].tracks)
      take(Row{camera, row, frame.provisional()});
  }
};

/// Returns the double that a program reads from a file with `value` written with `decimals`
/// decimals.
double rounded(double value, int decimals) {
  static constexpr std::array kPowers{1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7};
  if (decimals == output::kEveryDigit || !std::isfinite(value)) return value;
  const double power = kPowers.at(static_cast<size_t>(decimals));
  const double scaled = value * power, whole = std::nearbyint(scaled);
  // The product is rounded as well. Near a half, and for numbers with more digits than a double
  // has, it may give another result than the text, so the text is made and read.
  constexpr double kExact = 1e9, kNear = 1e-6;
  if (std::abs(scaled) < kExact && std::abs(std::abs(scaled - whole) - 0.5) > kNear)
    return whole / power;
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  double read = value;
  std::from_chars(text.data(), text.data() + text.size(), read);
  return read;
}

/// Returns a frame with one row in each table, whose cells show the types of the columns.
motion::Frame sampleFrame() {
  motion::Frame frame;
  motion::CameraFrame& camera = frame.cameras.emplace_back();
  camera.measured.stamp.emplace();
  camera.measured.markers.emplace_back();
  camera.finalised.emplace_back();
  camera.tracks.emplace_back();
  motion::SpaceFrame space;
  space.finalised.emplace_back();
  space.finalPoses.emplace_back();
  frame.results.put(std::move(space));
  return frame;
}

/// Returns the type as which a program reads the column of a file: numbers without decimals have no
/// point there, so they are integers.
FrameTable::Type typeOf(const output::Cell& cell, int decimals) {
  if (std::holds_alternative<uint64_t>(cell)) return FrameTable::Type::integers;
  if (std::holds_alternative<double>(cell) && decimals == 0) return FrameTable::Type::integers;
  if (std::holds_alternative<std::string>(cell)) return FrameTable::Type::texts;
  return FrameTable::Type::floats;
}

}  // namespace

FrameTable::FrameTable(Kind kind) : kind_(kind) {
  beginAs(nullptr);
}

void FrameTable::beginAs(const motion::Frame* first) {
  if (kind_ == Kind::markers) return begin<output::DetectionsTable>(first);
  if (kind_ == Kind::points) return begin<output::PointsTable>(first);
  if (kind_ == Kind::poses) return begin<output::PosesTable>(first);
  begin<output::TracksTable>(first);
}

template <class Table>
void FrameTable::begin(const motion::Frame* first) {
  columns_.clear();
  places_.clear();
  decimals_.clear();
  static const motion::Frame sample = sampleFrame();
  const auto all = Table::columns();
  for (size_t place = 0; place < all.size(); ++place) {
    const auto& column = all[place];
    // Images of one call belong to one moment, so the column of sets is only used in sessions.
    const bool depends = column.use == output::ColumnUse::fitted ||
                         (column.use == output::ColumnUse::sets && first && first->session);
    const bool used = column.use == output::ColumnUse::always ||
                      (depends && first && output::isUsed(column.use, *first));
    if (!used) continue;
    fitted_ = fitted_ || column.use == output::ColumnUse::fitted;
    Table::rows(sample, 0, [&](const auto& row) {
      columns_.push_back({.name = column.name, .type = typeOf(column.cell(row), column.decimals)});
    });
    places_.push_back(place);
    decimals_.push_back(column.decimals);
  }
}

uint32_t FrameTable::wordOf(const std::string& text) {
  const auto known = std::find(words_.begin(), words_.end(), text);
  const auto index = static_cast<uint32_t>(known - words_.begin());
  if (known == words_.end()) words_.push_back(text);
  return index;
}

template <class Table>
void FrameTable::take(const motion::Frame& frame, size_t camera) {
  const auto all = Table::columns();
  Table::rows(frame, camera, [&](const auto& row) {
    for (size_t i = 0; i < columns_.size(); ++i) {
      Column& column = columns_[i];
      const output::Cell cell = all[places_[i]].cell(row);
      if (column.type == Type::integers) {
        const auto* number = std::get_if<double>(&cell);
        column.integers.push_back(number ? std::llrint(*number)
                                         : static_cast<int64_t>(std::get<uint64_t>(cell)));
      } else if (column.type == Type::texts) {
        column.texts.push_back(wordOf(std::get<std::string>(cell)));
      } else {
        const auto* number = std::get_if<double>(&cell);
        column.floats.push_back(number ? rounded(*number, decimals_[i])
                                       : std::numeric_limits<double>::quiet_NaN());
      }
    }
    ++rows_;
  });
}

void FrameTable::add(const motion::Frame& frame, std::optional<size_t> camera) {
  if (!begun_ && frame.measured()) {
    begun_ = true;
    beginAs(&frame);
  }
  for (size_t i = camera.value_or(0); i < (camera ? *camera + 1 : frame.cameras.size()); ++i) {
    if (kind_ == Kind::markers)
      take<output::DetectionsTable>(frame, i);
    else if (kind_ == Kind::live)
      take<LiveTable>(frame, i);
    else if (kind_ == Kind::points)
      take<output::PointsTable>(frame, i);
    else if (kind_ == Kind::poses)
      take<output::PosesTable>(frame, i);
    else
      take<output::TracksTable>(frame, i);
  }
}

}  // namespace glint::python
