// Every setting, generated from its one declaration.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "ui/context/context.h"
#include "ui/draw/of_picture.h"

namespace glint::ui {

/// The rows' memory from one picture to the next.
struct RowsState {
  std::array<char, 64> search = {};
  std::string pointed = {};  ///< the key that was led to: marked until the next click
  struct Told {
    std::string setting, whyUnused;  ///< explained beside the cursor, and why it is grey
    std::string pointed;             ///< the key that was led to, while its row is seen
  };
  OfPicture<Told> told = {};
};

/// Draws what most people change, in a group of its own, then what `between` draws, and the rest
/// folded by subject; or, where something is sought, all that fits.
void drawSettingRows(Context& context, RowsState& state, const std::function<void()>& between);

}  // namespace glint::ui
