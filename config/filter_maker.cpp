// glint_filter_maker OUT FILE...: a program that runs during the build. It compiles the filters
// that come with Glint, and writes their kernels and texts as C++, as declared in
// config/built_filters.h.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "config/filter_glsl.h"
#include "config/filter_head.h"

namespace {

using namespace glint::filters;

std::string wordList(const std::vector<uint32_t>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    text += std::to_string(words[i]) + (i % 16 == 15 ? "u,\n" : "u,");
  return text;
}

std::string readWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& out, const std::vector<std::string>& paths) {
  std::ofstream file(out);
  file << "#include \"config/built_filters.h\"\nnamespace glint::filters {\nnamespace {\n";
  std::string list;
  for (const std::string& path : paths) {
    const std::string name = std::filesystem::path(path).stem().string();
    const std::string text = readWhole(path);
    const Head head = parseHead(name, text, path);
    std::string kernels;
    for (size_t pass = 0; pass < head.passes.size(); ++pass) {
      const std::string array = name + "_" + std::to_string(pass);
      file << "const uint32_t " << array << "[] = {"
           << wordList(compile(passSource(head, pass), path)) << "};\n";
      kernels += "{" + array + ", sizeof(" + array + ") / 4},";
    }
    if (!kernels.empty())
      file << "const BuiltKernel " << name << "_kernels[] = {" << kernels << "};\n";
    file << "const char " << name << "_text[] = R\"glint(" << text << ")glint\";\n";
    list += "{\"" + name + "\", " + name + "_text, " +
            (kernels.empty() ? "nullptr" : name + "_kernels") + ", " +
            std::to_string(head.passes.size()) + "},\n";
  }
  file << "const uint32_t place[] = {" << wordList(compile(placeSource(), "place")) << "};\n"
       << "const uint32_t point[] = {" << wordList(compile(pointSource(), "point"))
       << "};\n}  // namespace\n"
       << "const BuiltFilter kBuiltFilters[] = {\n"
       << list << "};\n"
       << "const size_t kBuiltFilterCount = sizeof(kBuiltFilters) / sizeof(kBuiltFilters[0]);\n"
       << "const BuiltKernel kBuiltPlaceKernel = {place, sizeof(place) / 4};\n"
       << "const BuiltKernel kBuiltPointKernel = {point, sizeof(point) / 4};\n}  // namespace "
          "glint::filters\n";
  if (!file.flush()) throw std::runtime_error("cannot write " + out);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    write(argv[1], {argv + 2, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
