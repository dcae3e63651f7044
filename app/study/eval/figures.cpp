#include "app/study/eval/figures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glint::study {

std::string figureTable(std::string_view column,
                        const std::vector<std::pair<std::string, Figures>>& lines) {
  size_t widest = column.size();
  if (!column.empty())
    for (const auto& [name, figures] : lines) widest = std::max(widest, name.size());
  const auto lineOf = [&](std::string_view name, const Figures& figures, const auto& text) {
    std::string line = fmt::format("{:<{}}", name, widest);
    for (const Figure& figure : figures) {
      const size_t width = std::max<size_t>(8, figure.heading.size()) + (line.empty() ? 0 : 1);
      line += fmt::format("{:>{}}", text(figure), width);
    }
    return line + '\n';
  };
  std::string table = lineOf(column, lines.front().second,
                             [](const Figure& figure) { return std::string(figure.heading); });
  for (const auto& [name, figures] : lines) {
    table += lineOf(name, figures, [](const Figure& figure) {
      return std::isnan(figure.value) ? "-" : fmt::format("{:.{}f}", figure.value, figure.decimals);
    });
  }
  return table;
}

void addFigures(nlohmann::ordered_json& json, const Figures& figures) {
  for (const Figure& figure : figures) {
    if (figure.decimals == 0)
      json[figure.key] = static_cast<uint64_t>(figure.value);
    else
      json[figure.key] = figure.value;
  }
}

}  // namespace glint::study
