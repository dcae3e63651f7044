// The catalog of all filters: those that come with Glint, and the user's own.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/filter_head.h"

namespace glint::filters {

struct Filter {
  Head head;
  /// SPIR-V of one kernel per pass. A point filter has none.
  std::vector<std::span<const uint32_t>> kernels;
};

/// The filters by name. Pointers and references to them stay valid when filters are added.
class Catalog {
 public:
  /// Returns the filter with this name, or null if there is none.
  const Filter* find(std::string_view name) const;
  /// Returns the filter with this name. If there is none, throws UsageError, which suggests a
  /// name with a similar spelling.
  /// The message begins with `where`.
  const Filter& get(std::string_view name, std::string_view where) const;
  /// Returns all filters, sorted by name.
  std::vector<const Filter*> all() const;
  /// Adds the filters of all .comp files of a folder. Throws UsageError if the folder cannot be
  /// read or has no such file, if a name is taken, or with the first error in a file.
  void addFolder(const std::string& folder);
  /// Returns the paths of the files that addFolder() has read.
  const std::vector<std::string>& files() const { return files_; }

 private:
  friend Catalog& catalog();
  Catalog();
  std::deque<Filter> filters_;
  std::deque<std::vector<uint32_t>> compiled_;
  std::vector<std::string> files_;
};

/// Returns the program's catalog. Filters must be added before other threads start.
Catalog& catalog();

/// Returns the SPIR-V of the kernel that all point filters share.
std::span<const uint32_t> pointKernel();
/// Returns the SPIR-V of the kernel that copies a part of a plane to another plane.
std::span<const uint32_t> placeKernel();

}  // namespace glint::filters
