// bodies.toml: rigid bodies as a file, by hand or learned.
#pragma once

#include <string>
#include <vector>

#include "app/motion/space/body.h"

namespace glint::motion {

/// Reads a table [[body]] each: name, markers (mm), and perhaps labels and sigma; docs/formats.md.
/// Throws Error naming the file and the line, where one is no body: fewer than three markers,
/// markers on one line or nearer to each other than 1 mm, names or labels that come twice, numbers
/// that are not finite.
std::vector<Body> readBodies(const std::string& path);

/// The same from the text of a file; `name` stands for it in messages.
std::vector<Body> readBodiesText(const std::string& text, const std::string& name);

/// As text that reads back as the same. `comments`: lines before each body; or empty.
std::string bodiesText(const std::vector<Body>& bodies,
                       const std::vector<std::vector<std::string>>& comments = {});

/// "the body 'x' has all markers on one line ..." and the like; empty where it is a body.
std::string problemOf(const Body& body);

}  // namespace glint::motion
