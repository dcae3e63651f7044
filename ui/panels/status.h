// The lowest line: rates, counts and the device.
#pragma once

#include <string>

#include "ui/context/context.h"

namespace glint::ui {

class Status {
 public:
  void draw(Context& context);
  /// Tells tests the line.
  void describe(nlohmann::json& to) const;

 private:
  std::string line_;
};

}  // namespace glint::ui
