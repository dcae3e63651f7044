// The one failure of the device that is worth another try with less.
#pragma once

#include "config/error.h"

namespace glint {

/// The device has no room for a buffer, or allows none so large.
class DeviceMemoryError : public Error {
 public:
  using Error::Error;
};

}  // namespace glint
