#include "app/shell/desk/folder_list.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/stat.h>

#include "app/capture/images/image_list.h"
#include "app/capture/images/image_source.h"
#include "config/lower_case.h"

namespace glint::shell {
namespace fs = std::filesystem;
namespace {

void addIfThere(std::vector<std::pair<std::string, std::string>>& folders, const std::string& name,
                const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) folders.emplace_back(name, path.string());
}

void addFoldersIn(std::vector<std::pair<std::string, std::string>>& folders, const fs::path& path) {
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    addIfThere(folders, at->path().filename().string(), at->path());
}

}  // namespace

void FolderList::open(const std::string& folder) {
  std::error_code error;
  fs::path wanted = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  if (!wanted.has_filename() && wanted.has_relative_path()) wanted = wanted.parent_path();
  problem_.clear();
  all_.clear();
  for (;;) {
    error.clear();
    fs::directory_iterator at(wanted, error);
    if (!error) {
      for (const fs::directory_iterator end; !error && at != end && all_.size() < kMost;
           at.increment(error)) {
        struct stat about;  // links are followed
        if (::stat(at->path().c_str(), &about) != 0) continue;
        if (S_ISDIR(about.st_mode) || S_ISREG(about.st_mode))
          all_.push_back({.name = at->path().filename().string(),
                          .folder = S_ISDIR(about.st_mode),
                          .bytes = static_cast<uint64_t>(about.st_size),
                          .changed = about.st_mtime});
      }
      break;
    }
    if (problem_.empty())
      problem_ = fmt::format("cannot open '{}': {}", wanted.string(), error.message());
    if (!wanted.has_relative_path()) break;
    wanted = wanted.parent_path();
  }
  path_ = wanted;
  std::ranges::sort(all_, [](const FolderEntry& a, const FolderEntry& b) {
    if (a.folder != b.folder) return a.folder;
    return capture::naturalLess(a.name, b.name);
  });
  select();
}

void FolderList::setSuffixes(std::vector<std::string> suffixes) {
  suffixes_ = std::move(suffixes);
  select();
}

void FolderList::select() {
  shown_.clear();
  for (const FolderEntry& entry : all_) {
    if (entry.name.starts_with('.')) continue;
    const std::string name = lowerCase(entry.name);
    const bool fits = entry.folder || suffixes_.empty() ||
                      std::ranges::any_of(suffixes_, [&](const std::string& suffix) {
                        return name.ends_with(lowerCase(suffix));
                      });
    if (fits) shown_.push_back(entry);
  }
}

std::vector<std::pair<std::string, std::string>> FolderList::way() const {
  std::vector<std::pair<std::string, std::string>> parts;
  fs::path so;
  for (const fs::path& part : path_) {
    so /= part;
    parts.emplace_back(part.string(), so.string());
  }
  return parts;
}

std::vector<std::pair<std::string, std::string>> usualFolders() {
  std::vector<std::pair<std::string, std::string>> folders;
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    addIfThere(folders, "Home", home);
    for (const char* name : {"Videos", "Pictures", "Documents", "Desktop", "Downloads"})
      addIfThere(folders, name, fs::path(home) / name);
  }
  if (const char* const user = std::getenv("USER"); user != nullptr && *user != '\0')
    addFoldersIn(folders, fs::path("/media") / user);
  addFoldersIn(folders, "/mnt");
  addIfThere(folders, "Computer", "/");
  return folders;
}

std::string newFileName(const std::string& path, const std::string& suffix) {
  fs::path file = path;
  std::string name = file.filename().string(), ending = suffix;
  if (name.ends_with(suffix))
    name.erase(name.size() - suffix.size());
  else if (const std::string own = file.extension().string(); !own.empty()) {
    name.erase(name.size() - own.size());
    ending = own;
  }
  std::error_code error;
  for (int n = 1;; ++n) {
    const std::string numbered = n == 1 ? name + ending : fmt::format("{} {}{}", name, n, ending);
    const fs::path candidate = file.parent_path() / numbered;
    if (!fs::exists(candidate, error)) return candidate.string();
  }
}

}  // namespace glint::shell
