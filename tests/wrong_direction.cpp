// This file must not compile, because gpu/ may not include app/. See tests/CMakeLists.txt.
#include "app/session/session.h"
