// Saves what is open as a project.
#pragma once

#include <string>

#include "ui/context/context.h"

namespace glint::ui {

/// The saving of projects. Main thread.
class ProjectSaver {
 public:
  explicit ProjectSaver(Context& context) : context_(context), file_(context.model.task.project) {}

  /// Saves into the file of the open project. If none is open, saves into a new file beside the
  /// first recording, or in the working folder. Tells the user.
  void save();
  /// Saves into this file from now on, because the same sources go on in another session.
  void goOnWith(const std::string& file) { file_ = file; }
  /// Returns the file of the open project; empty if there is none.
  const std::string& file() const { return file_; }
  /// Writes the file into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  Context& context_;
  std::string file_;
};

}  // namespace glint::ui
