#include "app/base/version.h"

namespace glint::base {

const char* const kVersion = GLINT_VERSION;

}  // namespace glint::base
