// The popup with the format of recordings, and the targets of streams.
#pragma once

#include <array>

#include "ui/model/player.h"

namespace glint::ui {

/// The popup "record options". Main thread.
class RecordOptions {
 public:
  size_t format = 0;  ///< index in recordingChoices()

  /// Draws the popup below ImGui's last item.
  void draw(Player& player);

 private:
  void chooseFormat();
  void drawStreams(Player& player);

  std::array<char, 256> typed_ = {};  // target of a stream
};

}  // namespace glint::ui
