// The popup with the format of recordings, and the targets of streams.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/output/catalog/outputs.h"
#include "ui/model/player.h"

namespace glint::ui {

/// The popup "record options". Main thread.
class RecordOptions {
 public:
  explicit RecordOptions(const shell::WindowTask& task)
      : choices_(output::recordingChoices(task.results())),
        space_(task.results().points),
        bodies_(task.results().poses) {}

  /// Returns the chosen format.
  const output::OutputChoice& chosen() const { return choices_[format_]; }
  /// Chooses the format of this name, if there is one.
  void choose(const std::string& name);
  /// Returns the specification of a recording in this format, without its file.
  output::OutputSpec spec() const;

  /// Draws the popup below ImGui's last item.
  void draw(Player& player);

 private:
  void chooseFormat();
  void drawStreams(Player& player);

  const std::vector<output::OutputChoice> choices_;
  const bool space_, bodies_;  // true if there are points, and poses of bodies
  size_t format_ = 0;          // index in choices_
  output::TakeOptions take_;
  std::array<char, 256> typed_ = {};  // target of a stream
};

}  // namespace glint::ui
