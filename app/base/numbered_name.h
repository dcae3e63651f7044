// Handles names of numbered files, such as "shot_%04d.png".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace glint::base {

/// A name with a place for a number, which stands for many files.
struct NumberedName {
  std::string before, after;  ///< text before and behind the number
  int digits = 0;             ///< least number of digits

  /// Returns the parts of a name; empty if it has no '%'. Throws UsageError if the '%' does not
  /// begin a number such as %04d.
  static std::optional<NumberedName> in(const std::string& name);

  /// Returns the name of the file with the number `n`.
  std::string at(uint64_t n) const;
  /// Returns true if `path` is one of the files, whether it exists or not.
  bool covers(const std::string& path) const;
  /// Returns the files that exist.
  std::vector<std::string> present() const;

 private:
  /// Returns the one file of this name that is, or lies in, the entry `entry` of the folder in
  /// which the number stands; empty if the entry does not fit the name.
  std::optional<std::string> throughEntry(const std::string& entry) const;
};

}  // namespace glint::base
