// Numbers as C3D files of the three kinds of processors hold them. Internal to takes/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace glint::output {

/// The processor that wrote a C3D file, as byte 4 of its parameter section says.
enum class C3dProcessor : uint8_t { intel = 84, dec = 85, mips = 86 };

/// Returns the unsigned number of two bytes.
inline uint16_t c3dWord(const std::byte* bytes, C3dProcessor processor) {
  const auto first = static_cast<uint16_t>(bytes[0]), second = static_cast<uint16_t>(bytes[1]);
  return static_cast<uint16_t>(processor == C3dProcessor::mips ? first << 8 | second
                                                               : second << 8 | first);
}

/// Returns the number of four bytes: IEEE 754, or DEC's F format, whose two words change places and
/// whose exponent is 2 greater. DEC's reserved numbers are NaN.
float c3dReal(const std::byte* bytes, C3dProcessor processor);

}  // namespace glint::output
