// What a run reads and writes, known in one place.
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

/// The files that a run over these sources reads with these settings: recordings and images, masks,
/// what filters read, and filters of a user's own. `config`: a settings file, or empty.
std::vector<std::string> filesRead(const std::vector<Address>& sources, const Settings& settings,
                                   const std::string& config = {});

/// Every command asks it of each file that it will write, before it opens one. Two names are one
/// file also through links.
class RunFiles {
 public:
  /// What it reads; not all of it need be there, and what is not there is not written either.
  /// `what` reads it: "run" or "export".
  explicit RunFiles(const std::vector<std::string>& read, std::string_view what = "run");

  /// Throws UsageError where the run reads such a file, or writes it already. Devices such as
  /// /dev/null may be shared; an empty name is no file.
  void write(const std::string& file);
  void write(const base::NumberedName& files);
  void write(const std::vector<std::string>& files);

  /// The same of what nobody named, which stands beside an output: no pipe, for who would read it?
  void writeBeside(const std::string& file);

 private:
  bool isRead(const std::string& file) const;

  std::string what_;
  std::set<std::pair<uint64_t, uint64_t>> read_;  // device and inode
  std::vector<std::string> missing_, written_;
  std::vector<base::NumberedName> numbered_;
};

}  // namespace glint::output
