// Lets tests write the numbers of frames and tracks as plain integers.
#pragma once

#include <concepts>
#include <ostream>

#include "config/numbers.h"

namespace glint {

template <class Kind, std::integral Integer>
constexpr bool operator==(Number<Kind> number, Integer value) {
  return number.value() == static_cast<uint64_t>(value);
}
template <class Kind, std::integral Integer>
constexpr auto operator<=>(Number<Kind> number, Integer value) {
  return number.value() <=> static_cast<uint64_t>(value);
}
template <class Kind>
std::ostream& operator<<(std::ostream& out, Number<Kind> number) {
  return out << number.value();
}

}  // namespace glint
