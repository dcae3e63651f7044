// Settings from the text of a TOML file.
#pragma once

#include <string>

#include "config/settings.h"

namespace glint {

/// As readToml() from a file of this text; `name` stands for the file in messages.
void readTomlText(Settings& settings, const std::string& text, const std::string& name);

}  // namespace glint
