// The search for settings and actions by words.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "app/base/text.h"

namespace glint::ui {

/// Returns true if the label, the key or the help of a setting, or of an action, has the wanted
/// words. Capitals do not matter.
inline bool isFound(std::string_view wanted, std::string_view label, std::string_view key,
                    std::string_view help) {
  const std::string all = base::lowerCase(fmt::format("{} {} {}", label, key, help));
  return all.find(base::lowerCase(std::string(wanted))) != std::string::npos;
}

}  // namespace glint::ui
