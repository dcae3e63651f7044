// Reads tables of colours from files: .cube files, and images of 512x512.
#pragma once

#include <istream>
#include <string>

#include "gpu/filters/images.h"

namespace glint::capture {

/// Reads a .cube file (1D or 3D), or an image of 512x512 pixels in colour, whose entries stay in
/// the order of its pixels. Throws Error, which names the file and, in a .cube, the line.
gpu::ColourTable readColourTable(const std::string& path);

/// Reads the text of a .cube file (Adobe's Cube LUT Specification 1.0). Throws Error, whose message
/// begins with `where`.
gpu::ColourTable parseCube(std::istream& text, const std::string& where);

}  // namespace glint::capture
