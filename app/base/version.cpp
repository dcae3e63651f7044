#include "app/base/version.h"

namespace glint {

const char* const kVersion = GLINT_VERSION;

}  // namespace glint
