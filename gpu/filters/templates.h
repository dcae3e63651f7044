// Makes templates: variants of an image to search for, rotated and scaled.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "config/filter_head.h"
#include "gpu/filters/images.h"

namespace glint::gpu {

/// The words of a template: the number of variants; kVariantWords words for each variant; then the
/// pixels of all variants. A variant: width and height of its box (px), the number of its pixels,
/// the sum of their values, the sum of their values' squares (64 bits, low word first), the index
/// of the word where its pixels begin, and its angle and scale as fractions of their ranges
/// (float). A pixel: value | x << 16 | y << 24.
inline constexpr uint32_t kVariantWords = 9, kMostTemplateSide = 64, kMostVariants = 1024;

/// The image to search for: grey counts in raster order.
struct TemplateImage {
  int64_t width = 0, height = 0;
  std::vector<double> values;
  bool operator==(const TemplateImage&) const = default;
  /// Returns the value of the pixel nearest to (x, y), which may lie outside the image.
  double at(int64_t x, int64_t y) const;
};

/// Returns, in grey, the part of the image that the parameter `part` names (left, top, width,
/// height, px; width 0: all). Throws UsageError; its message begins with `who`.
TemplateImage templateImage(const FilterImage& image, const filters::Head& head,
                            const filters::ParameterValues& values, const std::string& who);

/// The variant of a template that fits best at a place.
struct TemplateFit {
  double angle = 0, scale = 1;  ///< degrees from x towards y; times the image's size
  double score = 0;             ///< 0 to 1
};

/// The picture found at a place where a template matches.
struct TemplateMatch {
  TemplateFit fit;
  double x = 0, y = 0;                  ///< px of the frame: the middle of the picture
  double sigmaX = 0, sigmaY = 0;        ///< px: standard deviations of x and y
  double radius = 0, eccentricity = 0;  ///< of the template's variant; as in shared::Detection
  double mass = 0, background = 0;      ///< counts, in the measured plane
  /// True if the fit would read beyond the plane's edges; true if a pixel is at full scale.
  bool cut = false, saturated = false;
};

struct TemplateVariant {
  double angle = 0, scale = 1;  ///< degrees from x towards y; times the image's size
};

/// The pixels of one variant.
struct TemplateShape {
  uint32_t width = 0, height = 0;  ///< px: the variant's box
  std::vector<uint32_t> pixels;    ///< value | x << 16 | y << 24
  uint64_t sum = 0, squares = 0;   ///< sums of the values and of their squares
};

/// Returns all variants that a filter's parameters ask for, in the order of templateWords().
std::vector<TemplateVariant> templateVariants(const filters::Head& head,
                                              const filters::ParameterValues& values);

/// Returns width and height of a variant's box, px: the least box that holds the image, turned by
/// the variant's angle and scaled.
std::pair<int64_t, int64_t> templateBox(const TemplateImage& pattern,
                                        const TemplateVariant& variant);

/// Returns the pixels of a variant as templateWords() writes them; no pixels if the box is larger
/// than 255 px.
TemplateShape templateShape(const TemplateImage& pattern, const TemplateVariant& variant);

/// Returns the image at a place where a variant fits, turned and scaled back to width x height px.
/// `window`: the image in the variant's box there. Values are interpolated bilinearly; for the
/// variant that is neither turned nor scaled they are the window's own pixels.
TemplateImage templateSeen(const TemplateImage& window, const TemplateVariant& variant,
                           int64_t width, int64_t height);

/// Returns the words (see kVariantWords) of all variants that a filter's parameters ask for:
/// `angle_from`, `angle_to`, `angle_step` (degrees, from x towards y), `scale_from`, `scale_to`,
/// `scale_step`. Pixel (i, j) of a variant's box (see templateBox()) has the value of the image,
/// interpolated bilinearly and rounded, at ((c x + s y) / scale + (w - 1) / 2, (c y - s x) / scale
/// + (h - 1) / 2), where c and s are the angle's cosine and sine, w and h the image's sides, and
/// (x, y) is (i, j) measured from the box's middle. The pixel belongs to the variant if that place
/// is within half a pixel of the image. Throws UsageError; its message begins with `who`.
std::vector<uint32_t> templateWords(const TemplateImage& pattern, const filters::Head& head,
                                    const filters::ParameterValues& values, const std::string& who);

}  // namespace glint::gpu
