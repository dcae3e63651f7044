// Reads the names of columns as pandas keeps them in HDF5.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glint::motion {

/// Returns the tuples of texts in a list that Python has pickled with protocol 0, which is plain
/// text. It understands nothing else that a pickle may hold, and runs no code in it. Texts are
/// UTF-8. Throws Error without a file's name.
std::vector<std::vector<std::string>> readPickledNames(std::string_view pickle);

}  // namespace glint::motion
