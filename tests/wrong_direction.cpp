// Must not compile: gpu/ may not know app/. See tests/CMakeLists.txt.
#include "app/session/session.h"
