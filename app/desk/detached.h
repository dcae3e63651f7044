// Starts a program that lives on by itself.
#pragma once

#include <string>
#include <vector>

namespace glint {

/// Runs `program` (a path) with `arguments`, in a session of its own: it lives on when this process
/// ends, and this process need not wait for it. Its standard input is empty. Throws Error naming
/// the program where it cannot be started.
void startDetached(const std::string& program, const std::vector<std::string>& arguments);

/// The program that runs now.
std::string ownProgram();

}  // namespace glint
