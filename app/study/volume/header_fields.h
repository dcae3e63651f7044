// Functions for the text headers of NRRD and MetaImage. Used only inside this folder.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/study/volume/formats.h"

namespace glint::study::volume {

/// The content of a header.
struct Header {
  std::map<std::string, std::string> fields;
  /// Lines that state the placement of the volume in space.
  std::vector<std::string> placement;
  size_t end = 0;  ///< The place in the file at which the header ends and voxels may begin.
};

/// The fields of a header that no function has read yet. Each field is removed when it is read.
class HeaderFields {
 public:
  /// `path` must outlive it.
  HeaderFields(const std::string& path, std::map<std::string, std::string> fields)
      : path_(path), fields_(std::move(fields)) {}

  /// Removes all fields with these names. Returns the value of the last name in the list that the
  /// header has; empty if it has none.
  std::optional<std::string> take(std::initializer_list<const char*> names);
  /// Removes a field and returns its value. Throws Error if it is missing.
  std::string need(const char* name);
  const std::map<std::string, std::string>& rest() const { return fields_; }

 private:
  const std::string& path_;
  std::map<std::string, std::string> fields_;
};

/// Sets the shape and the axes of `volume`. `dimensions` and `sizes`: the fields for the number of
/// axes and for the voxels along each. Throws Error if they contradict each other.
void takeSizes(const std::string& path, const std::string& dimensions, const std::string& sizes,
               VolumeData& volume);
/// Sets the spacing of `volume` from one number for each axis; "nan" does not change the spacing of
/// its axis.
void takeSpacings(const std::string& path, const std::string& text, VolumeData& volume);
/// Returns the sizes and the spacings of all axes of `volume`: " 3 4 5" and " 1 1 2.5".
std::pair<std::string, std::string> sizesAndSpacings(const VolumeData& volume);

/// Returns the path of a file that the header at `path` names.
std::filesystem::path besides(const std::string& path, const std::string& name);

/// Skips bytes in front of raw voxels. `count`: the number of bytes to skip as text; "-1" means
/// that the voxels are the last `voxelBytes` bytes. `field`: the name of the field with this
/// number, for errors.
std::span<const std::byte> skipBytes(const std::string& path, std::span<const std::byte> bytes,
                                     const std::string& count, size_t voxelBytes,
                                     const char* field);

}  // namespace glint::study::volume
