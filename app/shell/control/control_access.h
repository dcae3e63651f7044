// Who may send which requests to a running session.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/session/command.h"
#include "config/error.h"

namespace glint::shell {

/// Makes what is begun by name while a session runs: a recording from its file's name, a stream
/// from its target. Throws Error or UsageError naming it.
using MakeSink = std::function<session::command::AddSink(const std::string& name)>;

/// A request that lacks the token that its way in asks for. Nothing else was looked at.
class WrongToken : public UsageError {
 public:
  using UsageError::UsageError;
};

/// What requests have to bear so that they are carried out.
class ControlToken {
 public:
  static constexpr size_t kLeast = 16, kMost = 256;  // characters

  /// The first line of a file, which nobody but its owner may read. Throws UsageError naming the
  /// file and the mend, never what it holds.
  explicit ControlToken(const std::string& path);

  /// Throws WrongToken unless they are the same; takes as long wherever they differ.
  void check(std::string_view given) const;

 private:
  std::string token_;
};

/// What a way in may do, and asks for.
struct ControlAccess {
  MakeSink makeRecording;
  std::shared_ptr<const ControlToken> token;  ///< null: none is asked for
};

}  // namespace glint::shell
