#include "app/shell/desk/staged_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "app/base/paths.h"
#include "config/error.h"

namespace glint::shell {
namespace fs = std::filesystem;

StagedFiles::~StagedFiles() {
  for (const auto& [stage, folder] : folders_) {
    std::error_code ignored;
    fs::remove_all(stage, ignored);
  }
}

std::string StagedFiles::place(const std::string& path) {
  std::error_code ignored;
  if (base::isDevice(path) || base::standardStream(path) || fs::is_directory(path, ignored))
    throw UsageError("'{}' is not a file; name another output", path);
  const fs::path target = base::followLinks(path);
  const std::string folder = fs::absolute(target).parent_path().string();
  auto found =
      std::ranges::find_if(folders_, [&](const auto& entry) { return entry.second == folder; });
  if (found == folders_.end()) {
    std::string name = (fs::path(folder) / ".glint-export-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw Error("cannot write into '{}': {}", folder, std::strerror(errno));
    folders_.emplace_back(name, folder);
    found = folders_.end() - 1;
  }
  return (fs::path(found->first) / target.filename()).string();
}

void StagedFiles::move() {
  for (const auto& [stage, folder] : folders_) {
    for (const auto& entry : fs::directory_iterator(stage)) {
      const fs::path target = fs::path(folder) / entry.path().filename();
      std::error_code error;
      fs::rename(entry.path(), target, error);
      if (error) throw Error("cannot write '{}': {}", target.string(), error.message());
    }
  }
}

std::string StagedFiles::inOwnNames(std::string sentence) const {
  for (const auto& [stage, folder] : folders_) {
    for (size_t at = 0; (at = sentence.find(stage, at)) != std::string::npos; at += folder.size())
      sentence.replace(at, stage.size(), folder);
  }
  return sentence;
}

}  // namespace glint::shell
