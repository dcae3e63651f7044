#include "app/output/report/space_sets.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "app/base/csv_reader.h"
#include "config/error.h"

namespace glint::output::report {
namespace {

constexpr double kMostPx = 1e6, kLatestTime = 1e10;  // px, s: so that charts can be made

}  // namespace

double SpaceSetFigures::residual() const {
  return measured > 0 ? std::sqrt(squares / measured) : 0;
}

SpaceTable readSpaceTable(const std::string& path) {
  constexpr std::array<std::string_view, 4> kColumns{"frame", "time_s", "state", "residual_px"};
  base::CsvReader csv(path, kColumns);
  SpaceTable table;
  while (csv.next()) {
    const auto frame = csv.value<uint64_t>(0);
    const auto time = csv.value<double>(1);
    if (!(std::abs(time) < kLatestTime)) csv.refuse(1);
    ++table.rows;
    if (!table.sets.empty() && frame < table.sets.back().frame)
      throw Error(fmt::format("{}, line {}: frame {} is out of order; sort the rows by frame.",
                              path, csv.line(), frame));
    if (table.sets.empty() || table.sets.back().frame != frame) table.sets.push_back({frame, time});
    if (csv.text(2) != "measured") continue;
    const auto residual = csv.value<double>(3);
    if (!(residual >= 0 && residual < kMostPx)) csv.refuse(3);
    ++table.sets.back().measured;
    table.sets.back().squares += residual * residual;
  }
  return table;
}

}  // namespace glint::output::report
