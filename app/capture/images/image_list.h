// The files of a sequence of images, and what their names tell. Internal to app/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glint::capture {

/// The files of a sequence.
struct ImageList {
  std::vector<std::string> paths;
  /// The number in the name of each, rising: the numbers of the frames. Empty if the names have no
  /// such number: then the files follow each other without gaps.
  std::vector<uint64_t> numbers;
  /// A sentence for each part of the folder that is not read, and for each assumption about
  /// numbers.
  std::vector<std::string> remarks;
};

/// Returns true if the file's name ends in the suffix of an image that Glint reads, in letters of
/// any case.
bool hasImageSuffix(const std::string& path);

/// Returns true if the path is a folder or a printf pattern ("shot_%04d.png").
bool isFolderOrPattern(const std::string& path);

/// Lists
///  - of a folder: its images, hidden files apart, in natural order (frame2 before frame10). If
///    they are several recordings, such as cam0_001.png and cam1_001.png, the largest one counts,
///    of equal ones the first. Others, and images whose names have nothing to do with the rest, are
///    named in the remarks. Of images whose names differ only in the suffix, one is read;
///  - of a printf pattern: all files whose names fit it, by their number, whatever it begins with;
///  - of anything else: the path itself.
///
/// Numbers of the files count as numbers of frames unless more than half of them are missing.
/// Throws Error if the path does not exist, cannot be read, or is a folder that holds folders and
/// no images. The list of another folder may be empty.
ImageList listImages(const std::string& path);

/// Orders names as people do: runs of digits by their value, all else by character.
bool naturalLess(std::string_view a, std::string_view b);

/// "5, 6 and 10 to 12": the numbers that a rising list lacks. At most `most` numbers or ranges are
/// named. Empty if there are none.
std::string missingNumbers(const std::vector<uint64_t>& numbers, size_t most = 6);

}  // namespace glint::capture
