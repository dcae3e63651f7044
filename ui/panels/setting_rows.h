// The rows of all settings, generated from their declarations.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "ui/context/context.h"
#include "ui/draw/of_picture.h"

namespace glint::ui {

/// The state of the rows, which lasts from one picture to the next.
struct RowsState {
  std::array<char, 64> search = {};
  /// Key of the setting that the user was led to; it is marked until the next click.
  std::string pointed = {};
  struct Displayed {
    /// Key of the setting that is explained beside the cursor, and why it is disabled.
    std::string setting, whyUnused;
    /// Key of the setting that the user was led to, while its row is in sight.
    std::string pointed;
  };
  OfPicture<Displayed> displayed = {};
};

/// Draws the settings that most people change in a group of their own, then whatever `between`
/// draws, then the other settings, folded by subject. If the user searches for words, draws the
/// settings that have these words.
void drawSettingRows(Context& context, RowsState& state, const std::function<void()>& between);

/// Returns the value of a setting in the words of its row: "6 px", "no limit", "auto". `key` must
/// be that of a setting in describe(), of one camera or of a filter.
std::string shownValue(const Settings& settings, std::string_view key);

}  // namespace glint::ui
