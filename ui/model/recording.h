// What the window shows about a running recording.
#pragma once

#include <utility>

#include "app/shell/desk/recording_meter.h"
#include "ui/model/player.h"

namespace glint::ui {

/// Main thread.
class RecordingState {
 public:
  /// `outputs`: the files that are recorded from the first frame on.
  RecordingState(std::shared_ptr<const shell::RowCounter> rows, std::vector<std::string> outputs)
      : rows_(std::move(rows)), outputs_(std::move(outputs)) {}

  /// Before each frame is drawn; looks at the disk twice a second.
  void follow(const Player& player);

  /// Null where nothing is recorded.
  const shell::RecordingMeter::Status* status() const {
    return meter_ ? &meter_->status() : nullptr;
  }
  /// Whether it is a table of tracks: of others, such as videos, the rows are not theirs.
  bool hasRows() const { return hasRows_; }
  /// Whether the disk is full within minutes.
  bool runsShort() const;
  /// "12 kB, 34 GB free: lasts ~2 h".
  std::string room() const;

 private:
  std::shared_ptr<const shell::RowCounter> rows_;
  std::vector<std::string> outputs_;
  std::optional<shell::RecordingMeter> meter_;
  std::string name_;  // of the recording that meter_ is of
  bool hasRows_ = true;
  double looked_ = 0;   // s
  uint64_t bytes_ = 0;  // then
  std::optional<uint64_t> free_;
};

}  // namespace glint::ui
