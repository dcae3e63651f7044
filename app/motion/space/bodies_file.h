// Reads and writes bodies.toml: rigid bodies that were entered by hand or learned.
#pragma once

#include <string>
#include <vector>

#include "app/motion/space/body.h"

namespace glint::motion {

/// Reads the bodies of a file. Each is a table [[body]] with a name, markers (mm), and optionally
/// labels and sigma; see docs/formats.md. Throws Error naming the file and the line if a body has
/// fewer than three markers, markers on one line or nearer to each other than 1 mm, names or labels
/// that appear twice, or numbers that are not finite.
std::vector<Body> readBodies(const std::string& path);

/// Reads bodies from the text of a file, like readBodies(). Error messages call the file `name`.
std::vector<Body> readBodiesText(const std::string& text, const std::string& name);

/// Returns the text of a file that is read back as the same bodies. `comments` has lines for each
/// body that are written before it, or is empty.
std::string bodiesText(const std::vector<Body>& bodies,
                       const std::vector<std::vector<std::string>>& comments = {});

/// True if a body or a label may be called so: at most 64 bytes, in one line.
bool isBodyName(const std::string& text);

/// "the body 'x' has all markers on one line ..." and the like; empty where it is a body.
std::string problemOf(const Body& body);

}  // namespace glint::motion
