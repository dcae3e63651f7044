// The rights to send requests to a running session.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/session/command.h"
#include "config/error.h"

namespace glint::shell {

/// Makes the sinks of a recording from the name of its file, or those of a stream from its target.
/// Throws Error or UsageError naming it.
using MakeSink = std::function<session::command::AddSink(const std::string& name)>;

/// The error for a request without the right token. The rest of the request was not looked at.
class WrongToken : public UsageError {
 public:
  using UsageError::UsageError;
};

/// A secret that requests have to contain.
class ControlToken {
 public:
  static constexpr size_t kLeast = 16, kMost = 256;  // the fewest and most characters of a token

  /// Reads the first line of a file, which only its owner may read. Throws UsageError naming the
  /// file and the remedy, but never its contents.
  explicit ControlToken(const std::string& path);

  /// Throws WrongToken unless `given` is the token. Takes equally long wherever they differ.
  void check(std::string_view given) const;

 private:
  std::string token_;
};

/// The rights of the requests that one server takes.
struct ControlAccess {
  MakeSink makeRecording;
  std::shared_ptr<const ControlToken> token;  ///< null: no token is needed
};

}  // namespace glint::shell
