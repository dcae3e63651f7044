// Which programs have a file open. Internal to capture/.
#pragma once

#include <map>
#include <set>
#include <string>

namespace glint::capture {

/// Of those of `paths` that are open: by which program, "mpv (process 12)" or kThisProgram. From
/// /proc, which tells of this user's programs alone; none of the files is touched.
std::map<std::string, std::string> holdersOf(const std::set<std::string>& paths);

}  // namespace glint::capture
