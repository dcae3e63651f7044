// Finds the programs that have a file open. Internal to capture/.
#pragma once

#include <map>
#include <set>
#include <string>

namespace glint::capture {

/// Returns, for each of `paths` that a program has open, the program: a text such as "mpv (process
/// 12)", or kThisProgram. It is read from /proc, which shows the programs of this user only; the
/// files are not touched.
std::map<std::string, std::string> holdersOf(const std::set<std::string>& paths);

}  // namespace glint::capture
