// The lowest line of the window: rates, counts and the device.
#pragma once

#include <string>

#include "ui/context/context.h"

namespace glint::ui {

class Status {
 public:
  void draw(Context& context);
  /// Writes the line into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  std::string line_;
};

}  // namespace glint::ui
