#include "app/shell/desk/filters_off.h"

#include <algorithm>
#include <iterator>

namespace glint::shell {

FiltersOff::Rows FiltersOff::at(double place, const FilterUses& on) const {
  const auto after = rows_.upper_bound(place);
  if (after == rows_.begin()) return {};
  Rows rows = std::prev(after)->second;
  std::erase_if(rows, [&](const auto& row) {
    return std::ranges::find(on, row.second.id, &FilterUse::id) != on.end();
  });
  return rows;
}

void FiltersOff::put(double before, double place, Rows rows) {
  if (place != before) rows_.erase(rows_.upper_bound(before), rows_.end());
  rows_[place] = std::move(rows);
}

}  // namespace glint::shell
