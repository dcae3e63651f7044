#include "config/settings.h"

#include "config/describe.h"

namespace glint {

Settings::Settings() {
  describe(*this,
           [](auto, auto& member, const auto& initial, const auto&...) { member = initial; });
}

}  // namespace glint
