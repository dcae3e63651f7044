// The file formats that takes can be read from and written to: the one table that the command line,
// the errors and the sinks are made of.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/output/takes/survey.h"
#include "app/output/takes/take.h"
#include "app/output/takes/take_names.h"
#include "app/output/takes/take_options.h"

namespace glint::output {

/// The properties that a format can store in addition to the names and positions of markers.
struct TakeKeeps {
  bool poses = false, predicted = false, deviations = false, cameras = false, velocities = false;
  bool times = false;       ///< true: a time for each frame; false: only a rate
  bool choosesUnit = true;  ///< true if lengths can be written in m instead of mm
};

struct TakeFormat {
  std::string_view name;
  std::string_view suffix;  ///< of files of this format
  std::string_view about;   ///< one line
  bool spools;              ///< its first line needs all frames: rows wait in FILE.rows until then
  TakeKeeps keeps;
  NameRules names;
  std::unique_ptr<TakeReader> (*read)(const std::string& path);
  /// Null if it is only read. `up`: the axis that points up in what is written.
  std::unique_ptr<TakeWriter> (*write)(const std::string& path, const TakeSurvey& survey, UpAxis up,
                                       double mmPerUnit);
};

/// Every format, Glint's own first.
std::span<const TakeFormat> takeFormats();

/// Returns the format of the longest suffix that the name ends in, or null. `written`: only among
/// those that can be written.
const TakeFormat* takeFormatOf(const std::string& path, bool written);

/// Returns the formats that can be written, in the order of takeFormats(). `onlyWithPoses`: those
/// that poses can be written in.
std::vector<const TakeFormat*> writtenTakeFormats(bool onlyWithPoses);

/// Returns the suffixes of these formats.
std::vector<std::string_view> takeSuffixes(bool onlyWithPoses = false);

/// Throws UsageError if the format cannot be written with these options.
void checkTakeOptions(const std::string& path, const TakeFormat& format,
                      const TakeOptions& options);

/// Returns what the format cannot keep of a take, as one sentence; empty if it keeps everything.
std::string lossesOf(const std::string& path, const TakeFormat& format,
                     const TakeContents& contents);

/// Reads `from` twice and writes it to `to`. Returns sentences about what was assumed or left out,
/// and the survey of the take. Throws Error naming a file.
struct TakeAccount {
  TakeSurvey survey;
  UpAxis up = UpAxis::z;
  std::vector<std::string> sentences;
};
TakeAccount convertTake(const std::string& from, const TakeFormat& read, const std::string& to,
                        const TakeFormat& write, const TakeOptions& options,
                        std::optional<UpAxis> fromUp = {}, double rate = 0);

/// A line for each format that can be written: its suffix, and what it is.
std::string describeTakeFormats();

// The formats. Each reader throws Error naming the file, and what is wrong where.
std::unique_ptr<TakeReader> readPointsTable(const std::string& path);
std::unique_ptr<TakeReader> readSpooledTake(const std::string& path);
std::unique_ptr<TakeReader> readJsonTake(const std::string& path);
std::unique_ptr<TakeReader> readWideTable(const std::string& path);
std::unique_ptr<TakeReader> readC3d(const std::string& path);
std::unique_ptr<TakeReader> readTrc(const std::string& path);
std::unique_ptr<TakeReader> readMotive(const std::string& path);
std::unique_ptr<TakeReader> readQtm3d(const std::string& path);

std::unique_ptr<TakeWriter> writePointsTable(const std::string& path, const TakeSurvey& survey,
                                             UpAxis up, double mmPerUnit);
std::unique_ptr<TakeWriter> writeJsonTake(const std::string& path, const TakeSurvey& survey,
                                          UpAxis up, double mmPerUnit);
std::unique_ptr<TakeWriter> writeWideTable(const std::string& path, const TakeSurvey& survey,
                                           UpAxis up, double mmPerUnit);
std::unique_ptr<TakeWriter> writeC3d(const std::string& path, const TakeSurvey& survey, UpAxis up,
                                     double mmPerUnit);
std::unique_ptr<TakeWriter> writeTrc(const std::string& path, const TakeSurvey& survey, UpAxis up,
                                     double mmPerUnit);
std::unique_ptr<TakeWriter> writeMotive(const std::string& path, const TakeSurvey& survey,
                                        UpAxis up, double mmPerUnit);
std::unique_ptr<TakeWriter> writeQtm3d(const std::string& path, const TakeSurvey& survey, UpAxis up,
                                       double mmPerUnit);

}  // namespace glint::output
