// Names of markers and bodies on their way between formats. Internal to takes/.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/output/takes/take.h"

namespace glint::output {

/// The rules of a format for the names of markers.
struct NameRules {
  /// Maximum length, bytes; 0: any.
  size_t most = 0;
  /// True if readers of the format take tabs for separators and cut off blanks at both ends.
  bool trims = false;
};

/// Returns `name` with `suffix`, both as the rules allow: tabs become blanks, blanks at both ends
/// are cut off, and the name becomes shorter, by whole characters, until both fit. An empty name
/// becomes "unnamed".
std::string fitName(std::string name, const NameRules& rules, const std::string& suffix = {});

/// Returns the names of the markers as the rules allow. Names that become equal are numbered, so
/// all of them are different.
std::vector<std::string> fitNames(const std::vector<TakeMarker>& markers, const NameRules& rules);

/// Returns the name as UTF-8 of one line. A name that is not UTF-8 is read as Latin-1, and control
/// characters such as line breaks become blanks.
std::string plainName(const std::string& name);

/// Wraps the reader of the file `path`: names become those of plainName(). Names that become equal
/// are numbered. The doubts say what was changed.
std::unique_ptr<TakeReader> withPlainNames(std::unique_ptr<TakeReader> reader,
                                           const std::string& path);

}  // namespace glint::output
