#include "app/study/volume/header_fields.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/base/text.h"
#include "config/lower_case.h"

namespace glint::study::volume {

std::optional<std::string> HeaderFields::take(std::initializer_list<const char*> names) {
  std::optional<std::string> value;
  for (const char* name : names) {
    const auto found = fields_.extract(name);
    if (!found.empty()) value = found.mapped();
  }
  return value;
}

std::string HeaderFields::need(const char* name) {
  const auto value = take({name});
  if (!value) fail(path_, "has no '{}' in its header", name);
  return *value;
}

void takeSizes(const std::string& path, const std::string& dimensions, const std::string& sizes,
               VolumeData& volume) {
  std::vector<uint64_t> sides;
  for (const auto& word : splitWords(sizes)) {
    const auto side = base::parseNumber<uint64_t>(word);
    if (!side) fail(path, "has an invalid size: '{}'", word);
    sides.push_back(*side);
  }
  if (base::parseNumber<uint64_t>(dimensions) != sides.size())
    fail(path, "has more or fewer sizes than dimensions");
  volume.shape = makeShape(path, sides);
  volume.axes = static_cast<uint32_t>(sides.size());
}

void takeSpacings(const std::string& path, const std::string& text, VolumeData& volume) {
  const auto words = splitWords(text);
  if (words.size() != volume.axes)
    fail(path, "has {} spacings for {} axes", words.size(), volume.axes);
  for (size_t i = 0; i < words.size(); ++i) {
    if (lowerCase(words[i]) == "nan") continue;  // The spacing is not known.
    const auto value = base::parseNumber<double>(words[i]);
    if (!value || *value == 0) fail(path, "has an invalid spacing: '{}'", words[i]);
    volume.spacing[i] = std::abs(*value);
  }
}

std::pair<std::string, std::string> sizesAndSpacings(const VolumeData& volume) {
  const std::array sides{volume.shape.width, volume.shape.height, volume.shape.depth};
  std::string sizes, spacings;
  for (uint32_t i = 0; i < volume.axes; ++i) {
    sizes += fmt::format(" {}", sides[i]);
    spacings += fmt::format(" {}", volume.spacing[i]);
  }
  return {sizes, spacings};
}

std::filesystem::path besides(const std::string& path, const std::string& name) {
  return std::filesystem::path(path).parent_path() / name;
}

std::span<const std::byte> skipBytes(const std::string& path, std::span<const std::byte> bytes,
                                     const std::string& count, size_t voxelBytes,
                                     const char* field) {
  if (count == "-1") return bytes.size() < voxelBytes ? bytes : bytes.last(voxelBytes);
  const auto skipped = base::parseNumber<uint64_t>(count);
  if (!skipped) fail(path, "has an invalid {}: '{}'", field, count);
  if (*skipped > bytes.size())
    fail(path, "has fewer bytes than its {} says are to be skipped", field);
  return bytes.subspan(*skipped);
}

}  // namespace glint::study::volume
