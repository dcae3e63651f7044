// Writes files that are either whole or not changed at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace glint::base {

/// A new file beside the one to which a path leads. It replaces that file once it is complete, so a
/// failure leaves the file as it was before.
class FileBeside {
 public:
  /// Creates the file, with the permissions of the one that it will replace. `path` must not be a
  /// device, a pipe or a standard stream. Throws Error, which names `path` and the reason.
  explicit FileBeside(const std::string& path);
  /// Removes the file, unless replace() has succeeded.
  ~FileBeside();
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;

  /// Returns the descriptor, which is open for appending.
  int handle() const { return file_; }
  /// Closes the file and gives it the name of the one that it replaces. Throws Error as the
  /// constructor does.
  void replace();

 private:
  std::string path_, beside_;
  std::filesystem::path target_;  ///< path_ with its links followed
  int file_ = -1;
  bool replaced_ = false;
};

/// Writes a new file beside the one to which `path` leads and then renames it, so that a failure
/// leaves the file as it was before; links stay links. Devices, pipes and standard output are
/// written directly. Throws Error, which names the file and the reason.
void writeWholeFile(const std::string& path, std::span<const std::byte> bytes);

/// Removes the file of the FileBeside that was made last, if that still exists. Only for a signal
/// handler that ends the program: it takes no lock and no memory.
void removeUnfinishedFile();
inline void writeWholeFile(const std::string& path, std::string_view text) {
  writeWholeFile(path, std::as_bytes(std::span(text)));
}

}  // namespace glint::base
