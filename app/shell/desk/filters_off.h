// Filters that are switched off. The settings do not contain them, but the window shows them in
// their place.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "config/filter_use.h"

namespace glint::shell {

/// The filters that are off at each place of a SettingsHistory (its undoAt(), s), so that undo and
/// redo switch filters on and off.
class FiltersOff {
 public:
  /// The filters that are off, each after the number of filters before it in the chain that are on.
  using Rows = std::vector<std::pair<size_t, FilterUse>>;

  /// Returns the filters that are off at `place`, without those that the chain in force, `on`,
  /// contains.
  Rows at(double place, const FilterUses& on) const;
  /// Sets the filters that are off from `place` on. If that is a new step, forgets those of places
  /// after `before`.
  void put(double before, double place, Rows rows);

 private:
  std::map<double, Rows> rows_;  // filters from this place on
};

}  // namespace glint::shell
