#include "config/filter_catalog.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "config/built_filters.h"
#include "config/error.h"
#include "config/filter_glsl.h"
#include "config/nearest.h"
#include "config/printable.h"

namespace glint::filters {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> filesOf(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".comp") files.push_back(entry.path().string());
  if (error) throw UsageError(fmt::format("cannot read the folder of filters '{}'", folder));
  if (files.empty()) throw UsageError(fmt::format("the folder '{}' has no filter (.comp)", folder));
  std::sort(files.begin(), files.end());
  return files;
}

std::string textOf(const std::string& path) {
  constexpr std::streamsize kMost = 1 << 20;
  std::error_code missing;
  if (fs::exists(path, missing) &&
      !fs::is_regular_file(path, missing))  // a pipe could wait for ever
    throw UsageError(
        fmt::format("'{}' is not a file, so it cannot be a filter; remove or rename it", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(fmt::format("cannot read the filter '{}'", path));
  std::string text(size_t{kMost} + 1, '\0');
  file.read(text.data(), kMost + 1);
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > size_t{kMost})
    throw UsageError(fmt::format("'{}' is too large for a filter", path));
  return text;
}

}  // namespace

Catalog::Catalog() {
  for (size_t i = 0; i < kBuiltFilterCount; ++i) {
    const BuiltFilter& built = kBuiltFilters[i];
    Filter& filter =
        filters_.emplace_back(Filter{parseHead(built.name, built.text, built.name), {}});
    for (size_t k = 0; k < built.count; ++k)
      filter.kernels.emplace_back(built.kernels[k].words, built.kernels[k].count);
  }
}

const Filter* Catalog::find(std::string_view name) const {
  const auto found = std::find_if(filters_.begin(), filters_.end(),
                                  [&](const Filter& f) { return f.head.name == name; });
  return found == filters_.end() ? nullptr : &*found;
}

const Filter& Catalog::get(std::string_view name, std::string_view where) const {
  if (const Filter* filter = find(name)) return *filter;
  std::vector<std::string> names;
  for (const Filter& f : filters_) names.push_back(f.head.name);
  constexpr size_t kShown = 200;  // bytes
  throw UsageError(fmt::format("{}: there is no filter '{}'{} (`glint filters` lists all)", where,
                               shortened(name, kShown), didYouMean(name, names)));
}

std::vector<const Filter*> Catalog::all() const {
  std::vector<const Filter*> all;
  for (const Filter& f : filters_) all.push_back(&f);
  std::sort(all.begin(), all.end(),
            [](const Filter* a, const Filter* b) { return a->head.name < b->head.name; });
  return all;
}

void Catalog::addFolder(const std::string& folder) {
  for (const std::string& path : filesOf(folder)) {
    Filter filter{parseHead(fs::path(path).stem().string(), textOf(path), path), {}};
    if (find(filter.head.name) != nullptr)
      throw UsageError(fmt::format("'{}': a filter '{}' already exists", path, filter.head.name));
    for (size_t pass = 0; pass < filter.head.passes.size(); ++pass) {
      compiled_.push_back(compile(passSource(filter.head, pass), path));
      filter.kernels.emplace_back(compiled_.back());
    }
    filters_.push_back(std::move(filter));
    files_.push_back(path);
  }
}

Catalog& catalog() {
  static Catalog one;
  return one;
}

std::span<const uint32_t> pointKernel() {
  return {kBuiltPointKernel.words, kBuiltPointKernel.count};
}

std::span<const uint32_t> placeKernel() {
  return {kBuiltPlaceKernel.words, kBuiltPlaceKernel.count};
}

}  // namespace glint::filters
