// The state of a running recording, as the window shows it.
#pragma once

#include <utility>

#include "app/shell/desk/recording_meter.h"
#include "ui/model/player.h"

namespace glint::ui {

/// The figures of a recording: its rows, its size and the free space. Main thread.
class RecordingState {
 public:
  /// `outputs` are the files that are recorded from the first frame on.
  RecordingState(std::shared_ptr<const shell::RowCounter> rows, std::vector<std::string> outputs)
      : rows_(std::move(rows)), outputs_(std::move(outputs)) {}

  /// Brings the state up to date. Call it before each picture. It checks the disk twice a second.
  void follow(const Player& player);

  /// Returns null if nothing is recorded.
  const shell::RecordingMeter::Status* status() const {
    return meter_ ? &meter_->status() : nullptr;
  }
  /// Returns true if the recording is a table of tracks. Other files, such as videos, have no rows.
  bool hasRows() const { return hasRows_; }
  /// Returns true if the disk will be full within ten minutes.
  bool runsShort() const;
  /// Returns the size and the room that is left: "12 kB, 34 GB free: lasts ~2 h".
  std::string room() const;

 private:
  std::shared_ptr<const shell::RowCounter> rows_;
  std::vector<std::string> outputs_;
  std::optional<shell::RecordingMeter> meter_;
  std::string name_;              // name of the recording that meter_ follows
  bool hasRows_ = true;           // true if rows are counted: the file is a table of tracks
  double diskAsked_ = 0;          // time, s, at which the disk was asked last
  uint64_t bytes_ = 0;            // size of the files at that time
  std::optional<uint64_t> free_;  // free bytes of the disk at that time; empty: unknown
};

}  // namespace glint::ui
