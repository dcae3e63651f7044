// Reads the arguments of an OSC message that liblo has received.
#pragma once

#include <cstring>
#include <string>

#include <lo/lo.h>

namespace glint::test {

/// Returns an argument. liblo leaves arguments at multiples of 4 bytes in the packet, which is not
/// aligned enough for the members of lo_arg.
template <class T>
T valueOf(const lo_arg* argument) {
  T value;
  std::memcpy(&value, argument, sizeof value);
  return value;
}

inline std::string textOf(const lo_arg* argument) {
  return reinterpret_cast<const char*>(argument);
}

}  // namespace glint::test
