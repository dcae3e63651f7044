// Writes a range of a recording to files, in the background.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/source.h"
#include "app/output/catalog/outputs.h"
#include "app/output/edit/track_edits.h"
#include "app/output/sinks/edited_sink.h"
#include "app/session/session.h"
#include "app/shell/desk/background_task.h"
#include "app/shell/desk/staged_files.h"
#include "app/study/record/run_record.h"
#include "config/settings.h"
#include "gpu/device.h"

namespace glint::shell {

/// The frames to export, and how they are tracked and written.
struct ExportRequest {
  std::vector<Address> sources;  ///< recordings, one for each camera
  Settings settings;
  std::string config = {};        ///< the file that the settings came from; empty: none
  output::TrackEdits edits = {};  ///< edits that are applied to the files
  /// The file that the edits came from; empty: the one beside the recording.
  std::string editsFile = {};
  /// The first frame.
  SetIndex in = {};
  std::optional<SetIndex> out;  ///< the last frame; empty: up to the end
  std::vector<output::OutputSpec> outputs;
  std::shared_ptr<const motion::SpaceRig> rig = {};              ///< rig of the cameras; null: none
  std::shared_ptr<const std::vector<motion::Body>> bodies = {};  ///< bodies to look for; or null
  /// True if the record of the run is written beside the first file of tracks, as by `glint track`.
  bool record = true;
};

/// Throws UsageError if there is nothing to export, or if outputs would overwrite each other,
/// edits, or files that are read.
void checkExport(const ExportRequest& request);

/// Returns the files that an export would write, with the record of the run, so that the user can
/// be asked about existing ones. Throws UsageError if no format has the suffix of a file.
std::vector<std::string> filesOf(const ExportRequest& request);

/// Tracks the recording again, from its first frame and as fast as possible. So each frame's rows,
/// ids included, equal those of `glint track` on the whole recording with these settings. The files
/// hold frames `in` to `out`. An export of the whole recording has the same bytes as the files of
/// `glint track`, except for the run record, which holds times. With edits, the files are those of
/// `glint track --edits`.
///
/// Files are written in a folder beside their place, and moved there when all are complete. So
/// earlier files stay as they are after a failure or a cancellation. A recording that breaks in its
/// middle is exported up to there, and `problem` says so.
class RangeExport : public BackgroundTask {
 public:
  /// `changed` is called at most about 20 times a second: see BackgroundTask.
  RangeExport(std::shared_ptr<const gpu::Device> device, ExportRequest request,
              std::function<void()> changed = {});
  ~RangeExport() { end(); }

  /// Returns the number of edits that match no track with these settings, and so are not in the
  /// files. Any thread.
  size_t unmatched() const;

 private:
  void run();
  capture::SourceList open() const;
  output::SharedEdits findEdits();
  session::SessionResult follow(session::Session& session);
  void writeRecord(const study::RunInputs& inputs, const session::SessionResult& result,
                   bool canSeek, StagedFiles& staged);

  const std::shared_ptr<const gpu::Device> device_;
  const ExportRequest request_;
  size_t unmatched_ = 0;  // guarded by mutex_
};

}  // namespace glint::shell
