// Filters that are switched off: not among the settings, but shown in their place.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "config/filter_use.h"

namespace glint::shell {

/// Those of each place of a SettingsHistory (its undoAt(), s), so that undo and redo switch filters
/// on and off.
class FiltersOff {
 public:
  /// How many filters that are on lie before it in the chain, and the filter.
  using Rows = std::vector<std::pair<size_t, FilterUse>>;

  /// Those at `place` where `on` is in force, which none of them is among.
  Rows at(double place, const FilterUses& on) const;
  /// From `place` on there are these. If it is a new step, what had followed `before` is gone.
  void put(double before, double place, Rows rows);

 private:
  std::map<double, Rows> rows_;  // from a place on
};

}  // namespace glint::shell
