// What the log holds beside its lines: how many there are, and which were asked for.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>

namespace glint::base {

/// Writes what the user has asked for and got: to standard error wherever warnings are, but it is
/// none. Thread-safe.
void tell(std::string_view text);

/// The numbers of those among the lines of recentLog() that tell() has written.
std::set<uint64_t> toldLines();

/// RecentLog::total, without the lines.
uint64_t loggedLines();

}  // namespace glint::base
