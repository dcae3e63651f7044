// Saving the frames of live cameras that are in memory.
#pragma once

#include <memory>
#include <string>

#include "app/desk/raw_save.h"
#include "ui/model/frame_recall.h"

namespace glint::ui {

/// One at a time. Main thread.
class LatestSaver {
 public:
  LatestSaver(const WindowTask& task, Player& player, Messages& messages,
              std::function<void()> wake)
      : task_(task), player_(player), messages_(messages), wake_(std::move(wake)) {}

  /// As a raw recording with a new name.
  void save();
  /// Tells how it has ended, once.
  void follow();
  bool running() const { return recall_.asked() || save_; }

 private:
  const WindowTask& task_;
  Player& player_;
  Messages& messages_;
  const std::function<void()> wake_;
  FrameRecall recall_;
  std::unique_ptr<RawSave> save_;
  std::string file_;
};

}  // namespace glint::ui
