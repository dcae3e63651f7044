#include "app/capture/cameras/file_holders.h"

#include <array>
#include <climits>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/capture/source/camera_info.h"

namespace glint::capture {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// Calls visit(name) for each entry of a folder; for none if the folder cannot be read.
void eachEntry(const std::string& folder, const auto& visit) {
  const std::unique_ptr<DIR, CloseFolder> open(::opendir(folder.c_str()));
  while (const dirent* entry = open ? ::readdir(open.get()) : nullptr)
    visit(std::string_view(entry->d_name));
}

std::string programOf(const std::string& process) {
  if (process == std::to_string(::getpid())) return std::string(kThisProgram);
  std::ifstream file("/proc/" + process + "/comm");
  std::string name;
  std::getline(file, name);
  return fmt::format("{} (process {})", name.empty() ? "a program" : name, process);
}

}  // namespace

std::map<std::string, std::string> holdersOf(const std::set<std::string>& paths) {
  std::map<std::string, std::string> holders;
  eachEntry("/proc", [&](std::string_view process) {
    if (process.find_first_not_of("0123456789") != std::string_view::npos) return;
    const std::string files = fmt::format("/proc/{}/fd", process);
    eachEntry(files, [&](std::string_view file) {
      std::array<char, PATH_MAX> target;
      const ssize_t size =
          ::readlink(fmt::format("{}/{}", files, file).c_str(), target.data(), target.size());
      if (size <= 0) return;
      const std::string path(target.data(), static_cast<size_t>(size));
      if (paths.contains(path) && !holders.contains(path))
        holders[path] = programOf(std::string(process));
    });
  });
  return holders;
}

}  // namespace glint::capture
