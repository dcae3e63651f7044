#include "app/output/takes/c3d_numbers.h"

#include <bit>
#include <cmath>
#include <limits>

namespace glint::output {

float c3dReal(const std::byte* bytes, C3dProcessor processor) {
  const uint32_t first = c3dWord(bytes, processor), second = c3dWord(bytes + 2, processor);
  if (processor == C3dProcessor::intel) return std::bit_cast<float>(second << 16 | first);
  const uint32_t bits = first << 16 | second;
  if (processor == C3dProcessor::mips) return std::bit_cast<float>(bits);
  const uint32_t exponent = bits >> 23 & 0xff;
  if (exponent == 0) return bits >> 31 == 0 ? 0.0F : std::numeric_limits<float>::quiet_NaN();
  constexpr int kBias = 128 + 24;  // the fraction lies between 1/2 and 1, and has 24 bits
  const auto fraction = static_cast<float>((bits & 0x7fffff) | 0x800000);
  const float size = std::ldexp(fraction, static_cast<int>(exponent) - kBias);
  return bits >> 31 != 0 ? -size : size;
}

}  // namespace glint::output
