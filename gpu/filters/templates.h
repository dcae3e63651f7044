// Templates: an image to search for, rotated and scaled.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "config/filter_head.h"
#include "gpu/filters/images.h"

namespace glint::gpu {

/// Words of a pattern: how many variants; of each one kVariantWords; then the pixels of all.
/// A variant: width and height of its box (px), its pixels, their sum, the sum of their squares (64
/// bits, low word first), where its pixels begin, and its angle and scale as fractions of their
/// ranges (float). A pixel: value | x << 16 | y << 24.
inline constexpr uint32_t kVariantWords = 9, kMostTemplateSide = 64, kMostVariants = 1024;

/// What is sought: counts in raster order.
struct TemplateImage {
  int64_t width = 0, height = 0;
  std::vector<double> values;
  bool operator==(const TemplateImage&) const = default;
  /// The nearest one.
  double at(int64_t x, int64_t y) const;
};

/// What is taken of the image by the parameter `part` (left, top, width, height, px; width 0: all).
/// Throws UsageError; `who` opens the message.
TemplateImage templateImage(const FilterImage& image, const filters::Head& head,
                            const filters::ParameterValues& values, const std::string& who);

/// How a template fits best at a place: degrees from x towards y, and its scale.
struct TemplateFit {
  double angle = 0, scale = 1;
  double score = 0;  ///< 0 to 1
};

/// What is found where a template matches.
struct TemplateMatch {
  TemplateFit fit;
  double x = 0, y = 0;                  ///< px of the frame: the middle of the picture
  double sigmaX = 0, sigmaY = 0;        ///< px
  double radius = 0, eccentricity = 0;  ///< of the picture
  double mass = 0, background = 0;      ///< counts, in the plane that is measured
  bool cut = false, saturated = false;  ///< by the plane's edges; a pixel is at full scale
};

struct TemplateVariant {
  double angle = 0, scale = 1;  ///< degrees, from x towards y
};

/// A variant's pixels.
struct TemplateShape {
  uint32_t width = 0, height = 0;  ///< px, of its box
  std::vector<uint32_t> pixels;    ///< value | x << 16 | y << 24
  uint64_t sum = 0, squares = 0;   ///< of the values and of their squares
};

/// In the order of their words.
std::vector<TemplateVariant> templateVariants(const filters::Head& head,
                                              const filters::ParameterValues& values);

/// A variant's box, px: the least that holds the image turned by its angle and scaled.
std::pair<int64_t, int64_t> templateBox(const TemplateImage& look, const TemplateVariant& variant);

/// A variant as templateWords() has it; without pixels if its box is too large.
TemplateShape templateShape(const TemplateImage& look, const TemplateVariant& variant);

/// What an image has where a variant fits: `window` is the variant's box there. Bilinear; of the
/// variant that is neither turned nor scaled the very pixels.
TemplateImage templateSeen(const TemplateImage& window, const TemplateVariant& variant,
                           int64_t width, int64_t height);

/// The variants that a filter's parameters ask for: `angle_from`, `angle_to`, `angle_step`
/// (degrees, from x towards y), `scale_from`, `scale_to`, `scale_step`. A variant's box is the
/// least that holds the image turned by its angle and scaled; pixel (i, j) of it is the image,
/// bilinear and rounded, at
/// ((c x + s y) / scale + (w - 1) / 2, (c y - s x) / scale + (h - 1) / 2), where c and s are the
/// angle's cosine and sine and x, y are i, j seen from the box's middle; it counts where that is
/// within half a pixel of the image. Throws UsageError; `who` opens the message.
std::vector<uint32_t> templateWords(const TemplateImage& look, const filters::Head& head,
                                    const filters::ParameterValues& values, const std::string& who);

}  // namespace glint::gpu
