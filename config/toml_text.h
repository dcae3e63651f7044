// Reads settings from the text of a TOML file.
#pragma once

#include <string>

#include "config/settings.h"

namespace glint {

/// Does the same as readToml() for a file with this text. Messages use `name` as the file's name.
void readTomlText(Settings& settings, const std::string& text, const std::string& name);

}  // namespace glint
