#include "app/capture/filter/colour_table.h"

#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

#include <opencv2/core.hpp>

#include "app/base/text.h"
#include "app/capture/images/image_file.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::capture {
namespace {

constexpr uint32_t kMostCube = 256, kMostLine = 65536, kLeast = 2;
constexpr int kImageSide = 512, kImageEntries = 64;
constexpr size_t kShown = 80;  // most bytes of a line in a message

uint32_t word(double value) {
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

/// The keywords of a .cube file.
struct Cube {
  uint32_t side = 0, axes = 0;
  std::array<double, 3> least{0, 0, 0}, most{1, 1, 1};
  std::vector<double> values;

  size_t wanted() const { return 3 * (axes == 1 ? size_t{side} : size_t{side} * side * side); }
  void readLine(const std::string& line);
  gpu::ColourTable table() const;
};

std::vector<std::string> wordsOf(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string next; stream >> next;) words.push_back(next);
  return words;
}

double numberOf(const std::string& text) {
  if (const auto value = base::parseNumber<double>(text)) return *value;
  throw Error("'{}' is not a number", shortened(text, kShown));
}

std::array<double, 3> threeOf(const std::vector<std::string>& words, size_t from) {
  if (words.size() != from + 3) throw Error("three numbers are needed: red, green and blue");
  return {numberOf(words[from]), numberOf(words[from + 1]), numberOf(words[from + 2])};
}

uint32_t sideOf(const std::vector<std::string>& words, uint32_t most) {
  const double side = words.size() == 2 ? numberOf(words[1]) : 0;
  if (!(side >= kLeast && side <= most) || side != std::floor(side))
    throw Error("{} needs a whole number of {} to {}", words[0], kLeast, most);
  return static_cast<uint32_t>(side);
}

void Cube::readLine(const std::string& line) {
  const auto words = wordsOf(line);
  if (words.empty() || words[0].starts_with('#') || words[0] == "TITLE") return;
  const bool three = words[0] == "LUT_3D_SIZE";
  if (three || words[0] == "LUT_1D_SIZE") {
    if (axes != 0) throw Error("the size is given twice");
    side = sideOf(words, three ? kMostCube : kMostLine);
    axes = three ? 3 : 1;
  } else if (words[0] == "DOMAIN_MIN") {
    least = threeOf(words, 1);
  } else if (words[0] == "DOMAIN_MAX") {
    most = threeOf(words, 1);
  } else {
    const auto entry = threeOf(words, 0);
    if (axes == 0) throw Error("there are numbers before LUT_3D_SIZE or LUT_1D_SIZE");
    if (values.size() == wanted()) throw Error("more than {} entries", wanted() / 3);
    values.insert(values.end(), entry.begin(), entry.end());
  }
}

gpu::ColourTable Cube::table() const {
  if (axes == 0) throw Error("LUT_3D_SIZE or LUT_1D_SIZE is missing");
  if (values.size() != wanted())
    throw Error("{} entries instead of {}", values.size() / 3, wanted() / 3);
  gpu::ColourTable words{side, axes};
  for (size_t c = 0; c < 3; ++c) {
    if (!(least[c] < most[c])) throw Error("DOMAIN_MIN is not below DOMAIN_MAX");
    words.push_back(word(least[c]));
  }
  for (size_t c = 0; c < 3; ++c) words.push_back(word(most[c] - least[c]));
  for (const double value : values) words.push_back(word(value));
  return words;
}

gpu::ColourTable tableOfImage(const std::string& path) {
  const cv::Mat image = readImageFile(path);
  if (image.rows != kImageSide || image.cols != kImageSide || image.channels() != 3)
    throw Error("'{}' is {}x{} {}; a table is 512x512 in colour, or a .cube", path, image.cols,
                image.rows, image.channels() == 3 ? "in colour" : "grey");
  gpu::ColourTable words{kImageEntries, 0, word(0), word(0), word(0), word(1), word(1), word(1)};
  for (int i = 0; i < kImageSide * kImageSide; ++i) {
    for (int c = 2; c >= 0; --c) {
      const int x = 3 * (i % kImageSide) + c, y = i / kImageSide;
      words.push_back(word(image.depth() == CV_8U ? image.ptr<uint8_t>(y)[x] / 255.0
                                                  : image.ptr<uint16_t>(y)[x] / 65535.0));
    }
  }
  return words;
}

}  // namespace

gpu::ColourTable parseCube(std::istream& text, const std::string& where) {
  constexpr size_t kMostBytes = 4096;  // most bytes of a line
  Cube cube;
  std::string line;
  size_t number = 0;
  const auto atLine = [&](const Error& error) {
    return Error("'{}', line {}: {}", where, number, error.what());
  };
  try {
    while (std::getline(text, line)) {
      ++number;
      if (line.size() > kMostBytes) throw Error("the line is too long");
      cube.readLine(line);
    }
    return cube.table();
  } catch (const Error& error) {
    throw atLine(error);
  }
}

gpu::ColourTable readColourTable(const std::string& path) {
  if (!path.ends_with(".cube") && !path.ends_with(".CUBE")) return tableOfImage(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot open '{}'", path);
  return parseCube(file, path);
}

}  // namespace glint::capture
