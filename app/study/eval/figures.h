// The figures of a score as a table for people and as JSON for programs. Internal to eval/.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace glint::study {

/// One figure: its key in JSON, and its heading and decimals in the table. A figure without
/// decimals is a count.
struct Figure {
  const char* key;
  std::string_view heading;
  double value;  ///< NaN: there is nothing to count
  int decimals;
};
using Figures = std::vector<Figure>;

/// Returns a line of headings, and one of figures for each name; "-" where there is nothing to
/// count. `column` is the heading of the names; if it is empty, they have no column.
std::string figureTable(std::string_view column,
                        const std::vector<std::pair<std::string, Figures>>& lines);

/// Adds the figures to `json` by their keys; null where there is nothing to count.
void addFigures(nlohmann::ordered_json& json, const Figures& figures);

}  // namespace glint::study
