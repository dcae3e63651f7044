#include "ui/file_list.h"

#include <algorithm>
#include <system_error>
#include <tuple>

namespace glint::ui {

std::vector<FileEntry> listFolder(const std::filesystem::path& folder) {
  std::vector<FileEntry> entries;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code unknown;
    const std::string name = it->path().filename().string();
    if (!name.starts_with('.')) entries.push_back({name, it->is_directory(unknown)});
  }
  std::sort(entries.begin(), entries.end(), [](const FileEntry& a, const FileEntry& b) {
    return std::tie(b.folder, a.name) < std::tie(a.folder, b.name);
  });
  return entries;
}

}  // namespace glint::ui
