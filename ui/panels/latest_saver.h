// Saves the frames of live cameras that are in memory.
#pragma once

#include <memory>
#include <string>

#include "app/shell/desk/memory_source.h"
#include "ui/context/context.h"
#include "ui/model/frame_recall.h"

namespace glint::ui {

/// The saving of the latest frames, one set of them at a time. Main thread.
class LatestSaver {
 public:
  explicit LatestSaver(Context& context)
      : task_(context.model.task),
        player_(context.model.player),
        messages_(context.messages),
        wake_(context.actions.wake) {}

  /// Saves the frames as a raw recording with a new name.
  void save();
  /// Tells the user, once, how saving has ended. Call it before each picture.
  void follow();
  /// Writes whether it is saving into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  bool running() const { return recall_.asked() || save_; }

  const shell::WindowTask& task_;
  Player& player_;
  Messages& messages_;
  const std::function<void()> wake_;
  FrameRecall recall_;
  std::unique_ptr<shell::RawSave> save_;
  std::string file_;  // the file that is being written; several cameras number it
};

}  // namespace glint::ui
