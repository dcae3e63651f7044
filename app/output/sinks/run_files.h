// The files that a run reads and writes, known in one place.
#pragma once

#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/numbered_name.h"
#include "config/secrets.h"
#include "config/settings.h"

namespace glint::output {

/// Returns the files that a run over these sources reads with these settings: recordings and
/// images, masks, inputs of filters, and the user's own filters. `config` is a settings file, or
/// empty.
std::vector<std::string> filesRead(const std::vector<Address>& sources, const Settings& settings,
                                   const std::string& config = {});

/// The files that a run reads and writes, and the checks on them. Every command passes each file
/// that it will write, before it opens any. Two names that lead to one file, also through links,
/// count as one.
class RunFiles {
 public:
  /// `read` are the files that the run reads. Files that do not exist must not be written either.
  /// `what` is the reader: "run" or "export".
  explicit RunFiles(const std::vector<std::string>& read, std::string_view what = "run");

  /// Adds a file to be written. Throws UsageError if the run reads it, or writes it already.
  /// Devices such as /dev/null may be shared; an empty name is ignored.
  void write(const std::string& file);
  void write(const base::NumberedName& files);
  void write(const std::vector<std::string>& files);

  /// Adds an output that is not replaced by a new file, but written in place, such as a table.
  void writeInPlace(const std::string& file);

  /// Adds a file that stands beside an output and that the user did not name. It must not be a
  /// pipe, because nobody would read it.
  void writeBeside(const std::string& file);

  /// Adds a folder that base::makeFolder() makes. Add the files in it after this call.
  void writeFolder(const std::string& folder);

  /// Where to print what is no result: standard output, or standard error if a result goes to
  /// standard output.
  std::FILE* words() const { return toStandardOutput_ ? stderr : stdout; }

 private:
  void take(const std::string& file);
  bool isRead(const std::string& file) const;
  bool isMade(const std::string& file) const;

  std::string what_;
  std::set<std::pair<uint64_t, uint64_t>> read_;  // device and inode
  // Read files that do not exist, and files to be written.
  std::vector<std::string> missing_, written_;
  std::vector<std::string> folders_;
  std::vector<base::NumberedName> numbered_;
  bool toStandardOutput_ = false;
};

}  // namespace glint::output
