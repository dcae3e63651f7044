// The user's own keys for actions.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace glint::ui {

/// Returns the file of the user's keys, keys.toml, beside the folder of presets; empty if there is
/// no home.
std::filesystem::path keyFile();

/// Gives actions the keys that a file names, one action a line: `record = "F5 F6"`. An
/// empty text takes all keys away. Does nothing if the file does not exist. Returns a sentence for
/// each line that is not valid; such actions keep their keys.
std::vector<std::string> takeKeysFrom(const std::filesystem::path& file);

}  // namespace glint::ui
