// The kinds of output of a session, in one table.
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
#include "app/output/streams/stream_space.h"
#include "app/output/takes/take_options.h"

namespace glint::output {

/// Options that only some kinds of output have.
struct OutputOptions {
  std::string format = {};                           ///< tracks: a name of trackFormats(); or empty
  bool record = false;                               ///< tracks: the run's record goes beside it
  std::optional<SetIndex> frame = {};                ///< picture: which; empty: the middle one
  std::shared_ptr<const PreRoll> preRoll = nullptr;  ///< raw: what comes before; or null
  bool remote = false;                               ///< stream: to other machines, too
  TakeOptions take = {};                             ///< points, poses, stream: axes and unit
};

/// One output as the user has requested it.
struct OutputSpec {
  std::string_view kind;  ///< name of an OutputKind
  std::string target;     ///< a file, or the address of a stream
  OutputOptions options = {};
};

/// Facts about the session that an output must know before the first frame.
struct OutputContext {
  std::vector<gpu::ImageFormat> images;         ///< one for each camera
  std::optional<uint64_t> end = {}, most = {};  ///< for a picture: see PictureChoice
  SharedEdits edits = nullptr;                  ///< edits of the session's tracks; or null
  /// Edits that may change during the session, instead of `edits`; or null.
  std::shared_ptr<const LatestEdits> latest = nullptr;
  StreamedSpace space = {};  ///< the session's rig and bodies, for streams
  /// Returns the path at which the file of this name is to be written. Without the function, it is
  /// written under its own name.
  std::function<std::string(const std::string& file)> place = {};

  std::string at(const std::string& file) const { return place ? place(file) : file; }
};

/// The way in which edits of tracks apply to an output: not at all, to its rows, or to what it
/// draws.
enum class EditUse { nothing, rows, drawing };

/// A kind of output: its option, its entry in the window, and its functions.
struct OutputKind {
  std::string_view name;
  std::string_view option;          ///< option of the command line, such as "--stats"
  std::string_view about;           ///< help of the option
  std::string_view value = "FILE";  ///< the kind of value that the option takes
  bool repeats = false;             ///< true if the option may be given more than once
  Handover handover = Handover::waits;
  EditUse edits = EditUse::nothing;
  /// The entry in the window's lists: its name, a few words, and the suffixes of new files for an
  /// export and for a recording. If a suffix is empty, that list does not have the kind. Each
  /// format of tracks has an entry of its own.
  std::string_view label = {}, words = {}, exported = {}, recorded = {};
  /// Returns the suffixes by which a recording's name chooses this kind.
  std::vector<std::string> (*suffixes)() = [] { return std::vector<std::string>(); };
  /// Returns every file that the output writes, including those beside it, such as .rows.
  std::vector<std::string> (*files)(const OutputSpec& spec, size_t cameras) =
      [](const OutputSpec& spec, size_t) { return std::vector{spec.target}; };
  /// Throws UsageError if the target's suffix belongs to no format that this kind writes.
  void (*check)(const OutputSpec& spec) = [](const OutputSpec&) {};
  /// Throws UsageError or Error naming the target.
  std::vector<std::unique_ptr<Sink>> (*make)(const OutputSpec& spec, const OutputContext& context);
};

/// Returns the record of a run: "tracks.json" for "tracks.csv" and for "tracks".
std::string runRecordPath(const std::string& tracksPath);

/// Returns every kind, in the order of the help.
std::span<const OutputKind> outputKinds();

/// Returns the kind of this name, which must exist.
const OutputKind& outputKind(std::string_view name);

}  // namespace glint::output
