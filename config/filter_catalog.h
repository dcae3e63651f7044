// All filters: those that come with Glint, and the user's own.
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
  std::vector<std::span<const uint32_t>> kernels;  ///< SPIR-V, a pass each; none of a point filter
};

/// The filters by name. What was found stays where it is.
class Catalog {
 public:
  /// Null if there is none.
  const Filter* find(std::string_view name) const;
  /// Throws UsageError with the nearest name; `where` opens the message.
  const Filter& get(std::string_view name, std::string_view where) const;
  /// In the order of their names.
  std::vector<const Filter*> all() const;
  /// Every .comp of a folder. Throws UsageError: no folder, none in it, a name that is taken, or
  /// what parser or compiler say of a file.
  void addFolder(const std::string& folder);
  /// The files that addFolder() has read.
  const std::vector<std::string>& files() const { return files_; }

 private:
  friend Catalog& catalog();
  Catalog();
  std::deque<Filter> filters_;
  std::deque<std::vector<uint32_t>> compiled_;
  std::vector<std::string> files_;
};

/// The program's catalog. Add to it before threads begin.
Catalog& catalog();

/// The kernel that all point filters share.
std::span<const uint32_t> pointKernel();
/// The one that puts a part of a plane into another plane.
std::span<const uint32_t> placeKernel();

}  // namespace glint::filters
