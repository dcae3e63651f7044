// What a session can put out: one row a kind.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/output/pictures/raw_frames.h"
#include "app/output/sinks/edited_sink.h"
#include "app/output/sinks/sink.h"
#include "app/output/takes/take_options.h"

namespace glint::output {

/// What single kinds want to know beside their target.
struct OutputOptions {
  std::string format = {};                           ///< tracks: a name of trackFormats(); or empty
  bool record = false;                               ///< tracks: the run's record goes beside it
  std::optional<SetIndex> frame = {};                ///< picture: which; empty: the middle one
  std::shared_ptr<const PreRoll> preRoll = nullptr;  ///< raw: what comes before; or null
  bool remote = false;                               ///< stream: to other machines, too
  TakeOptions take = {};                             ///< points, poses: axes and unit
};

/// One output as it was asked for.
struct OutputSpec {
  std::string_view kind;  ///< an OutputKind's name
  std::string target;     ///< a file; of a stream where it goes
  OutputOptions options = {};
};

/// What an output must know of its session before the first frame.
struct OutputContext {
  std::vector<gpu::ImageFormat> images;                 ///< a camera each
  std::optional<uint64_t> end = {}, most = {};          ///< of a run: see PictureChoice
  SharedEdits edits = nullptr;                          ///< of its tracks; or null
  std::shared_ptr<const LatestEdits> latest = nullptr;  ///< instead, as they change; or null
  /// Where to write what shall be a file of this name; empty: there.
  std::function<std::string(const std::string& file)> place = {};

  std::string at(const std::string& file) const { return place ? place(file) : file; }
};

/// What of an output's tracks can be edited.
enum class EditUse { nothing, rows, drawing };

struct OutputKind {
  std::string_view name;
  std::string_view option;          ///< of the command line: "--stats"
  std::string_view about;           ///< its help
  std::string_view value = "FILE";  ///< what it takes
  bool repeats = false;             ///< whether it may be given more than once
  Handover handover = Handover::waits;
  EditUse edits = EditUse::nothing;
  /// In the window's lists: its name and a few words, and the suffix of new files that are
  /// exported, or recorded. Empty: it is not in that list. Of tracks each format is listed.
  std::string_view label = {}, words = {}, exported = {}, recorded = {};
  /// What the name of a recording ends in that is one of this kind.
  std::vector<std::string> (*suffixes)() = [] { return std::vector<std::string>(); };
  /// Every file that it writes, those beside them, such as .rows, too.
  std::vector<std::string> (*files)(const OutputSpec& spec, size_t cameras) =
      [](const OutputSpec& spec, size_t) { return std::vector{spec.target}; };
  /// Throws UsageError if the target's suffix belongs to no format that this kind writes.
  void (*check)(const OutputSpec& spec) = [](const OutputSpec&) {};
  /// Throws UsageError or Error naming the target.
  std::vector<std::unique_ptr<Sink>> (*make)(const OutputSpec& spec, const OutputContext& context);
};

/// "tracks.csv" -> "tracks.json", "tracks" -> "tracks.json": the record of a run.
std::string runRecordPath(const std::string& tracksPath);

/// Every kind, in the order of the help.
std::span<const OutputKind> outputKinds();

/// The one of this name, which must be there.
const OutputKind& outputKind(std::string_view name);

}  // namespace glint::output
