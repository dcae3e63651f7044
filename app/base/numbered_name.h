// Names of numbered files: "shot_%04d.png".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace glint::base {

/// What stands before and behind the number, and how many digits it has at least.
struct NumberedName {
  std::string before, after;
  int digits = 0;

  /// Nothing where there is no '%'. Throws UsageError where that is no number such as %04d.
  static std::optional<NumberedName> in(const std::string& name);

  std::string at(uint64_t n) const;
  /// Whether one of the files is, or would be, `path`.
  bool covers(const std::string& path) const;
  /// Those of the files that are there.
  std::vector<std::string> present() const;

 private:
  /// The files that are called so beside an entry of this name in the folder of `before`: one, or
  /// none.
  std::optional<std::string> throughEntry(const std::string& entry) const;
};

}  // namespace glint::base
