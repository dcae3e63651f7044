#include "app/output/sinks/run_files.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <sys/stat.h>
#include <unistd.h>

#include "app/base/paths.h"
#include "app/capture/filter/images.h"
#include "app/capture/mask/mask.h"
#include "app/capture/source/source_kinds.h"
#include "config/error.h"
#include "config/filter_catalog.h"

namespace glint::output {
namespace {

[[noreturn]] void refuseTwice(const std::string& file) {
  throw UsageError("'{}' would be written twice; name another output", file);
}

[[noreturn]] void refusePipe(const std::string& file) {
  throw UsageError("'{}' is a device or a pipe, not a file; name another output", file);
}

void append(std::vector<std::string>& all, std::vector<std::string> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

}  // namespace

std::vector<std::string> filesRead(const std::vector<Address>& sources, const Settings& settings,
                                   const std::string& config) {
  std::vector<std::string> files = capture::inputFiles(sources);
  // Generated frames count as one camera.
  const size_t cameras = std::max<size_t>(sources.size(), 1);
  append(files, capture::maskPaths(settings.detect.mask, cameras));
  append(files, capture::filterPaths(settings.filters, cameras));
  append(files, filters::catalog().files());
  if (!config.empty()) files.push_back(config);
  return files;
}

RunFiles::RunFiles(const std::vector<std::string>& read, std::string_view what) : what_(what) {
  for (const std::string& file : read) {
    struct stat info {};
    if (::stat(file.c_str(), &info) == 0)
      read_.emplace(info.st_dev, info.st_ino);
    else if (!file.empty())
      missing_.push_back(file);
  }
}

bool RunFiles::isRead(const std::string& file) const {
  struct stat info {};
  if (::stat(file.c_str(), &info) == 0)
    return !base::isDevice(file) && read_.contains({info.st_dev, info.st_ino});
  return std::ranges::any_of(missing_,
                             [&](const std::string& other) { return base::sameFile(file, other); });
}

/// True if the file is in a folder that the run makes.
bool RunFiles::isMade(const std::string& file) const {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  return std::ranges::any_of(folders_,
                             [&](const std::string& made) { return base::sameFile(folder, made); });
}

/// Refuses what is read or written twice, and notes the others.
void RunFiles::take(const std::string& file) {
  if (file.empty()) return;
  toStandardOutput_ |= base::standardStream(file) == STDOUT_FILENO;
  if (base::isDevice(file)) return;
  if (isRead(file)) throw UsageError("'{}' is read by this {}; name another output", file, what_);
  const auto same = [&](const std::string& other) { return base::sameFile(file, other); };
  const auto among = [&](const base::NumberedName& others) { return others.covers(file); };
  if (std::ranges::any_of(written_, same) || std::ranges::any_of(numbered_, among))
    refuseTwice(file);
  written_.push_back(file);
}

void RunFiles::write(const std::string& file) {
  take(file);
  if (!file.empty() && !isMade(file)) base::checkWritable(file);
}

void RunFiles::writeInPlace(const std::string& file) {
  take(file);
  if (!file.empty()) base::checkWritable(file, true);
}

void RunFiles::writeBeside(const std::string& file) {
  if (base::isDevice(file)) refusePipe(file);
  write(file);
}

void RunFiles::writeFolder(const std::string& folder) {
  take(folder);
  base::checkFolder(folder);
  folders_.push_back(folder);
}

void RunFiles::write(const base::NumberedName& files) {
  for (const std::string& file : files.present()) {
    if (base::isDevice(file)) refusePipe(file);
    if (isRead(file)) throw UsageError("'{}' is read by this {}; name another output", file, what_);
    base::checkWritable(file);
  }
  for (const std::string& other : written_)
    if (files.covers(other)) refuseTwice(other);
  if (!isMade(files.at(0))) base::checkWritable(files.at(0));
  numbered_.push_back(files);
}

void RunFiles::write(const std::vector<std::string>& files) {
  for (const std::string& file : files) write(file);
}

}  // namespace glint::output
