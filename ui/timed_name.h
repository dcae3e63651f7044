// Names of new files.
#pragma once

#include <ctime>
#include <string>

#include <fmt/chrono.h>

#include "app/desk/folder_list.h"

namespace glint::ui {

/// Not there yet: "glint-20240131-123456.csv" for ".csv".
inline std::string timedName(const std::string& suffix) {
  return newFileName(fmt::format("glint-{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr))),
                     suffix);
}

}  // namespace glint::ui
