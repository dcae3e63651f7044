// Writes the figures of a score as a table for people and as JSON for programs. Used only inside
// this folder.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace glint::study {

/// One figure: its key in JSON, its heading in the table, and the number of its decimals. A figure
/// without decimals is a count.
struct Figure {
  const char* key;
  std::string_view heading;
  double value;  ///< NaN if there is nothing to count.
  int decimals;
};
using Figures = std::vector<Figure>;

/// Returns a line of headings, and for each name a line of figures; a figure is "-" if there is
/// nothing to count. `column`: the heading of the names; if it is empty, the table has no column of
/// names. `lines`: must not be empty.
std::string figureTable(std::string_view column,
                        const std::vector<std::pair<std::string, Figures>>& lines);

/// Adds the figures to `json` under their keys; a figure is null if there is nothing to count.
void addFigures(nlohmann::ordered_json& json, const Figures& figures);

}  // namespace glint::study
