// The files that a run reads and writes, known in one place.
#pragma once

#include <cstdint>
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

  /// Adds a file beside an output that the user has not named. It must not be a pipe, because
  /// nobody would read it.
  void writeBeside(const std::string& file);

 private:
  bool isRead(const std::string& file) const;

  std::string what_;
  std::set<std::pair<uint64_t, uint64_t>> read_;  // device and inode
  // Read files that do not exist, and files to be written.
  std::vector<std::string> missing_, written_;
  std::vector<base::NumberedName> numbered_;
};

}  // namespace glint::output
