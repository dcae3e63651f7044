#include "config/filter_glsl.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/error.h"
#include "glsl/filter_texts.h"

namespace glint::filters {
namespace {

constexpr const char* kVersion = "#version 460\n";

/// Returns the macros that configure the texts of shaders/filters/common/ for a pass.
std::string definitionsOf(const Head& head, const Pass& pass) {
  std::string text = fmt::format("#define PASS_{}\n", pass.name);
  text += head.gives == 0 ? "#define OUT_CHANNELS_ kChannels\n"
                          : fmt::format("#define OUT_CHANNELS_ {}u\n", head.gives);
  text += fmt::format("#define TARGET_ {}_\n", pass.into.empty() ? "out" : pass.into);
  if (pass.words) text += "#define TARGET_WORDS_\n";
  if (pass.twice) text += "#define TARGET_DOUBLE_\n";
  if (pass.changes) text += "#define CHANGES_\n";
  if (pass.tile) text += "#define TILE_\n";
  if (pass.blockWide > 0)
    text += fmt::format("#define BLOCK_WIDE_ {}\n#define BLOCK_HIGH_ {}\n", pass.blockWide,
                        pass.blockHigh);
  if (head.border == Head::Border::mirror) text += "#define BORDER_MIRROR_\n";
  if (head.border == Head::Border::replicate) text += "#define BORDER_REPLICATE_\n";
  return text;
}

/// Returns the struct of a layer's numbers, in the order of Numbers::words().
std::string blockOf(const Head& head) {
  std::string members;
  for (const Table& t : head.tables) members += fmt::format("  uint {}_begin;\n", t.name);
  for (const Parameter& p : head.parameters) {
    for (size_t i = 0; i < p.initial.size(); ++i)
      members += fmt::format("  {} {}{};\n", p.kind == Parameter::Kind::number ? "float" : "int",
                             p.name, p.isList() ? fmt::format("_{}", i) : "");
  }
  for (const Derived& d : head.derived)
    members += fmt::format("  {} {};\n", d.whole ? "int" : "float", d.name);
  return "struct Parameters {\n  uint frame, present, slots, extra;\n" + members +
         "};\nlayout(std140, binding = 0) uniform Blocks { Parameters blocks_[16]; };\n"
         "layout(std430, binding = 1) readonly buffer Tables { uint tables_[]; };\n";
}

/// Returns the declarations of the planes that a pass reads and writes.
std::string planesOf(const Head& head, const Pass& pass) {
  std::string text;
  size_t binding = 2;
  const auto add = [&](const std::string& name, const char* access) {
    text += fmt::format("layout(std430, binding = {}) {} buffer Plane_{} {{ uint {}_[]; }};\n",
                        binding++, access, name, name);
  };
  add("in", "readonly");
  for (const Input& input : head.inputs) add(input.name, "readonly");
  for (const std::string& name : head.scratches())
    add(name, name != pass.into ? "readonly" : pass.changes ? "coherent" : "writeonly");
  if (head.memory) add("memory", "coherent");
  if (pass.into.empty()) add("out", "writeonly");
  return text;
}

/// Returns the first pass that writes a plane.
const Pass& writer(const Head& head, const std::string& scratch) {
  for (const Pass& pass : head.passes)
    if (pass.into == scratch) return pass;
  throw Error("no pass writes '" + scratch + "'");
}

/// Returns the macros of shaders/filters/common/read.glsl that define a pass's reading functions.
std::string readersOf(const Head& head, const Pass& pass) {
  std::string text = "READ_PACKED_(at, in_, kChannels)\n";
  for (const Input& input : head.inputs)
    text += input.form == Input::Form::plane
                ? fmt::format("READ_PACKED_({0}, {0}_, kChannels)\n", input.name)
                : fmt::format("READ_FILE_({0}, {0}_)\n", input.name);
  for (const std::string& name : head.scratches()) {
    const Pass& from = writer(head, name);
    if (from.times > 1) {
      if (pass.blockWide > 0) text += fmt::format("READ_TIMES_({}, {}u)\n", name, from.times);
    } else if (name != pass.into) {
      text += from.words   ? fmt::format("READ_WORDS_({0}, {0}_)\n", name)
              : from.twice ? fmt::format("READ_DOUBLE_({0}, {0}_)\n", name)
                           : fmt::format("READ_PACKED_({0}, {0}_, kOut)\n", name);
    }
  }
  for (const Table& table : head.tables)
    text += fmt::format("READ_{}TABLE_({})\n", table.whole ? "WHOLE_" : "", table.name);
  return text;
}

std::string readWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A new folder. The destructor removes it with everything in it.
struct TemporaryFolder {
  TemporaryFolder() {
    std::error_code error;
    const auto folder = std::filesystem::temp_directory_path(error);
    if (error) throw Error("TMPDIR does not name a folder: " + error.message());
    path = (folder / "glint-filter-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) throw Error("cannot make a folder in '" + path + "'");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

/// Runs glslangValidator on the file `in` and redirects its output to the file `messages`. Returns
/// true if it wrote `out`. Throws Error if it is not installed.
bool runCompiler(const std::string& in, const std::string& out, const std::string& messages) {
  const std::array arguments{"glslangValidator",
                             "--quiet",
                             "--target-env",
                             "vulkan1.2",
                             "-o",
                             out.c_str(),
                             in.c_str(),
                             static_cast<const char*>(nullptr)};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, messages.c_str(), O_WRONLY | O_CREAT,
                                   0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &files, nullptr,
                                  const_cast<char* const*>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed == ENOENT)
    throw Error(
        "your own filters need glslangValidator, which is not installed (Debian: glslang-tools)");
  if (failed != 0)
    throw Error("cannot run glslangValidator: " + std::generic_category().message(failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status == 0 && std::filesystem::exists(out);
}

/// Returns the first error in the compiler's output: "FILE, line 12: 'x' : undeclared identifier".
std::string firstMessage(const std::string& output, const std::string& where) {
  static const std::regex kMessage(R"(ERROR: [^\n]*?:(\d+): ([^\n]*))");
  std::smatch match;
  if (std::regex_search(output, match, kMessage))
    return fmt::format("{}, line {}: {}", where, match[1].str(), match[2].str());
  return fmt::format("{}: {}", where, output.substr(0, output.find('\n')));
}

}  // namespace

size_t blockWords(const Head& head) {
  size_t words = kBlockStart + head.tables.size() + head.derived.size();
  for (const Parameter& p : head.parameters) words += p.initial.size();
  return (words + 3) / 4 * 4;
}

std::string passSource(const Head& head, size_t index) {
  const Pass& pass = head.passes.at(index);
  std::string source = kVersion + definitionsOf(head, pass) + glsl::start + glsl::pass;
  source += blockOf(head) + planesOf(head, pass) + glsl::access;
  if (pass.blockWide > 0) source += glsl::block;
  if (pass.tile) source += glsl::tile;
  source += glsl::read + readersOf(head, pass);
  if (head.memory) source += glsl::memory;
  source += glsl::write;
  source += fmt::format("#line {}\n", head.codeLine) + head.code;
  if (pass.blockWide > 0) source += glsl::lines;
  return source + glsl::entry;
}

std::string placeSource() {
  return glsl::place;
}

std::string pointSource() {
  return std::string(kVersion) + glsl::start + glsl::point;
}

std::vector<uint32_t> compile(const std::string& source, const std::string& where) {
  const TemporaryFolder folder;
  const std::string in = folder.path + "/filter.comp", out = folder.path + "/filter.spv",
                    messages = folder.path + "/messages";
  std::ofstream(in) << source;
  if (!runCompiler(in, out, messages)) throw UsageError(firstMessage(readWhole(messages), where));
  const std::string bytes = readWhole(out);
  std::vector<uint32_t> words(bytes.size() / 4);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data()));
  return words;
}

}  // namespace glint::filters
