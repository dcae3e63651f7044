#include "ui/model/layout.h"

#include <nlohmann/json.hpp>

namespace glint::ui {

void Layout::describe(nlohmann::json& to) const {
  to["side"] = side;
  to["help"] = help;
  to["hint"] = !hintSeen;
  to["curves"] = curves;
}

}  // namespace glint::ui
