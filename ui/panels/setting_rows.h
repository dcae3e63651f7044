// Every setting, generated from its one declaration.
#pragma once

#include "ui/model/settings_draft.h"
#include "ui/model/window_model.h"

namespace glint::ui {

/// Of the frame that is shown, as panels say it; threshold: of full scale; at: when, s.
struct Told {
  size_t markers = 0, tracks = 0;
  double threshold = 0, at = -1e9;
};
/// While frames follow each other a few times a second at most: quicker numbers cannot be read, and
/// each has a panel drawn again.
void lookAgain(const WindowModel& model, Told& told);

/// What the panel of settings remembers from one picture to the next.
struct SettingsPanel {
  std::array<char, 64> search = {};
  std::array<char, 64> filter = {};  ///< what is sought among the filters
  std::string pointed = {};  ///< a key that was led to: marked until the next click
  std::string ranged = {};   ///< of which a range is to be tried; empty: none
  Told told = {};
};

/// What most people change, in a group of its own, then what `between` draws, and the rest folded by
/// subject; or, where something is sought, all that fits.
void drawSettingRows(const WindowModel& model, SettingsDraft& draft, SettingsPanel& panel,
                     Layout& layout, Displayed& displayed, const std::function<void()>& between);

}  // namespace glint::ui
