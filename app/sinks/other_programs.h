// Tracks in the file formats of other programs; docs/formats.md shows samples and says what each
// cannot hold. All hold measured rows only, since none of them can say which ones are predicted,
// and the rows of one camera, since none has a column for it. Ids are those of tracks.csv; where
// they are provisional, trackpy's table has a further column, and names in the others begin with ~.
#pragma once

#include <memory>
#include <string>

#include "app/sinks/sink.h"

namespace glint {

/// The columns of trackpy's DataFrame (soft-matter.github.io/trackpy):
/// y,x,mass,size,ecc,signal,raw_mass,ep,frame,particle
std::unique_ptr<Sink> makeTrackpyCsv(const std::string& path, size_t camera);

/// TrackMate's table of spots: a line of feature keys, three more of headings, a line a spot.
std::unique_ptr<Sink> makeTrackMateCsv(const std::string& path, size_t camera);

/// Kinovea's table of time series: "Time", then "Track 1/0/X" and "Track 1/0/Y" of every track. A
/// line for every frame with a marker. Needs room for its rows beside it: see WideFile.
std::unique_ptr<Sink> makeKinoveaCsv(const std::string& path, size_t camera);

/// A motion data file of Qualisys Track Manager with DATA_INCLUDED 2D: a header of names and
/// values, a line of headings, a line for every frame. Needs room for its rows beside it: see
/// WideFile.
std::unique_ptr<Sink> makeQtmTsv(const std::string& path, size_t camera);

}  // namespace glint
