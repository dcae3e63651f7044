// What the text headers of NRRD and MetaImage share. Internal to app/volume.
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

struct Header {
  std::map<std::string, std::string> fields;
  std::vector<std::string> placement;
  size_t end = 0;  ///< where attached voxels begin
};

/// The fields of a header that are not understood yet are taken out one by one.
class HeaderFields {
 public:
  /// `path` must outlive it.
  HeaderFields(const std::string& path, std::map<std::string, std::string> fields)
      : path_(path), fields_(std::move(fields)) {}

  /// All of these names; the last one counts.
  std::optional<std::string> take(std::initializer_list<const char*> names);
  std::string need(const char* name);
  const std::map<std::string, std::string>& rest() const { return fields_; }

 private:
  const std::string& path_;
  std::map<std::string, std::string> fields_;
};

/// Shape and axes of `volume`, from the fields of its dimensions and its sizes.
void takeSizes(const std::string& path, const std::string& dimensions, const std::string& sizes,
               VolumeData& volume);
/// One for each axis; "nan" leaves it as it is.
void takeSpacings(const std::string& path, const std::string& text, VolumeData& volume);
/// " 3 4 5" and " 1 1 2.5": of each axis of `volume`.
std::pair<std::string, std::string> sizesAndSpacings(const VolumeData& volume);

/// A file that the header names.
std::filesystem::path besides(const std::string& path, const std::string& name);

/// Raw voxels behind so many bytes; -1: at the end. `field`: what the header calls them.
std::span<const std::byte> skipBytes(const std::string& path, std::span<const std::byte> bytes,
                                     const std::string& count, size_t voxelBytes,
                                     const char* field);

}  // namespace glint::study::volume
