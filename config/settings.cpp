#include "config/settings.h"

#include "config/describe.h"

namespace glint {

Settings::Settings() {
  describe(*this, [](const auto& setting) { setting.value = setting.initial; });
}

}  // namespace glint
