// The files of a folder, for a chooser.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace glint::ui {

struct FileEntry {
  std::string name;
  bool folder = false;
};

/// Folders first, then by name; hidden ones left out. Empty where it cannot be read.
std::vector<FileEntry> listFolder(const std::filesystem::path& folder);

}  // namespace glint::ui
