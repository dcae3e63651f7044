// Reads what the OME-XML text of a TIFF file says of its planes. Internal to app/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace glint::capture {

/// The first image of an OME-XML text (OME model, "Pixels"; OME-TIFF specification, "TiffData").
struct OmeText {
  /// A row of planes that are in one file. `count` planes from the one of this channel, slice and
  /// moment on, in the order of the planes, are the pages from `page` on.
  struct Data {
    uint64_t channel = 0, slice = 0, moment = 0;
    std::optional<uint64_t> page, count;  ///< IFD and PlaneCount, if they are stated
    std::string file, uuid;               ///< the file's name and UUID, if they are stated
  };
  /// The time of a plane.
  struct Time {
    uint64_t channel = 0, slice = 0, moment = 0;
    double seconds = 0;  ///< since the beginning of the acquisition
  };

  /// The reason why the text is not well-formed, in the words of the parser; empty if it is.
  std::string problem;
  bool hasPixels = false;                          ///< true if it describes an image
  uint64_t channels = 1, slices = 1, moments = 1;  ///< SizeC, SizeZ, SizeT
  std::string order = "XYCZT";                     ///< DimensionOrder
  std::optional<double> interval;                  ///< s, TimeIncrement
  std::vector<Data> data;
  std::vector<Time> times;
  std::string uuid;          ///< of the file that holds the text
  std::string metadataFile;  ///< the file that describes the image instead of this text, or empty
  uint64_t otherImages = 0;  ///< images behind the first one
};

/// Returns true if a description is meant to be OME-XML.
bool isOme(const std::string& description);

/// Reads an OME-XML text. Throws nothing: `problem` tells what is wrong with it.
OmeText readOme(const std::string& description);

/// Returns the length of a unit of time in seconds, such as "ms", "s" (also for no unit) or "min";
/// 0 if the unit is not known.
double secondsOf(const std::string& unit);

}  // namespace glint::capture
