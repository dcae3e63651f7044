// This file must not compile, because no setting has this key. See tests/CMakeLists.txt.
#include "config/setting_key.h"

using namespace glint;

constexpr std::string_view kKey = "detect.seperation"_key;
