// Recordings whose times come from elsewhere than from their container.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/capture/source/source.h"
#include "app/capture/source/source_options.h"

namespace glint::capture {

/// Returns a source whose frame n is at n / fps.
std::unique_ptr<Source> retimeByRate(std::unique_ptr<Source> source, double fps);

/// Returns a source whose frame n is at times[n], s, which rise, counted from the first of them.
/// `from` says where they come from: "as 'times.csv' says". read() throws Error for a frame that
/// has no time.
std::unique_ptr<Source> retimeByList(std::unique_ptr<Source> source, std::vector<double> times,
                                     std::string from);

/// Returns a source whose times are those of `source`, stretched by options.drift and then shifted
/// by options.offset: (1 + drift / 1,000,000) * time + offset. Returns `source` itself if neither
/// is given.
std::unique_ptr<Source> shiftTimes(std::unique_ptr<Source> source, const SourceOptions& options);

/// Reads the times of a recording's frames, s, in order: a text file of one number a line, or a CSV
/// with a header. Of a CSV it is the column whose name holds "time" and, if there are several, the
/// one that is named time_s, time or timestamp; or the only column. A name that ends in ms, us or
/// ns tells the unit. If a column "port", "cam_id" or "camera" tells several cameras apart, as in
/// caliscope's timestamps.csv, the rows of the last number in the name of `recording` count. Throws
/// Error that names the file, and the line, if it cannot be read, holds no times, or if they do not
/// rise.
std::vector<double> readTimesFile(const std::string& path, const std::string& recording);

}  // namespace glint::capture
