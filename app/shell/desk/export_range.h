// Writes a stretch of a recording to files, in the background.
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

struct ExportRequest {
  std::vector<Address> sources;  ///< recordings, a camera each
  Settings settings;
  std::string config = {};        ///< where the settings came from; empty: from no file
  output::TrackEdits edits = {};  ///< applied to what is written
  std::string editsFile = {};   ///< where they came from; empty: from the one beside the recording
  SetIndex in = {};             ///< the first one
  std::optional<SetIndex> out;  ///< the last one; empty: to the end
  std::vector<output::OutputSpec> outputs;
  /// Whether the record of the run goes beside the first file of tracks, as `glint track` has it.
  bool record = true;
};

/// Throws UsageError where there is nothing to export, or outputs would overwrite what is read,
/// each other or edits.
void checkExport(const ExportRequest& request);

/// The files that an export would write, the run's record among them: to be asked about where they
/// are there already. Throws UsageError where no format has a file's suffix.
std::vector<std::string> filesOf(const ExportRequest& request);

/// Tracks the recording again, from its first frame and as fast as possible. So each frame's rows,
/// ids included, equal those of `glint track` on the whole recording with these settings. Files
/// hold frames `in` to `out`. An export of the whole recording has the same bytes (except for the
/// run record, which holds times). With edits it is that of `glint track --edits`.
///
/// Files are written in a folder beside their place and moved there when all is whole: after a
/// failure or a cancel, earlier files are as they were. A recording that breaks in its middle is
/// exported up to there, and `problem` says so.
class RangeExport : public BackgroundTask {
 public:
  /// `changed`: see BackgroundTask; at most about 20 times a second.
  RangeExport(std::shared_ptr<const gpu::Device> device, ExportRequest request,
              std::function<void()> changed = {});
  ~RangeExport() { end(); }

  /// Edits that mean no track with these settings, and so are not in the files; any thread.
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
  uint64_t done_ = 0;     // frames that were tracked to find what edits mean
  size_t unmatched_ = 0;  // guarded by mutex_
};

}  // namespace glint::shell
