#include "config/filter_glsl.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include <fmt/format.h>
#include <unistd.h>

#include "config/error.h"

namespace glint::filters {
namespace {

constexpr const char* kStart = R"(#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_spirv_intrinsics : require
#extension GL_KHR_shader_subgroup_vote : require
layout(constant_id = 0) const uint kBits = 8u;
layout(constant_id = 1) const uint kForm_ = 1u;
const uint kChannels = kForm_ & 3u;
const bool kEdges_ = kForm_ < 4u;
const uint kPerWord = 32u / kBits;
const uint kFull = (1u << kBits) - 1u;
)";

constexpr const char* kLocal = "layout(local_size_x = 16, local_size_y = 4) in;\n";
constexpr const char* kTileLocal = "layout(local_size_x = 256) in;\n";

constexpr const char* kPush =
    "layout(push_constant) uniform Push { uint width, height, pitch; } push_;\n";
// Of passes with blocks: which blocks of a row there are, `first` of them and then those after a
// gap.
constexpr const char* kBlockPush =
    "layout(push_constant) uniform Push { uint width, height, pitch, first, gap, blocks; } "
    "push_;\n";

constexpr const char* kAccess = R"(
Parameters P;
uint layer_;
ivec2 size() { return ivec2(push_.width, push_.height); }
bool inImage(ivec2 p) { return all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, size())); }
uint packed_(ivec2 p, uint channels, uint c) {
  return (layer_ * push_.height + uint(p.y)) * push_.pitch * channels + (uint(p.x) * channels + c) / kPerWord;
}
uint shift_(ivec2 p, uint channels, uint c) { return (uint(p.x) * channels + c) % kPerWord * kBits; }
uint worded_(ivec2 p, uint channels, uint c) {
  return (layer_ * push_.height + uint(p.y)) * push_.pitch * kPerWord * channels + uint(p.x) * channels + c;
}
// Where a plane of words, NAME_[], has a value.
uint place(ivec2 p, int c) { return worded_(p, kOut, uint(c)); }
uint luminance(uint blue, uint green, uint red) { return (19u * blue + 183u * green + 54u * red + 128u) >> 8; }
)";

// Repeated until inside, without a whole division, which CPUs do a lane after the other.
constexpr const char* kMirror = R"(
int mirror_(int i, int n) {
  const int period = max(2 * n - 2, 1);
  i = abs(i);
  i -= int(float(i) / float(period)) * period;
  i += i < 0 ? period : i >= period ? -period : 0;
  return min(i, period - i);
}
ivec2 inside_(ivec2 p) { return ivec2(mirror_(p.x, size().x), mirror_(p.y, size().y)); }
const bool kOutside_ = false;
)";

constexpr const char* kReplicate =
    "ivec2 inside_(ivec2 p) { return clamp(p, ivec2(0), size() - 1); }\n"
    "const bool kOutside_ = false;\n";
constexpr const char* kNoBorder =
    "ivec2 inside_(ivec2 p) { return p; }\nconst bool kOutside_ = true;\n";

// What passes with blocks have beside that: values by four, which begin at any value of a row.
constexpr const char* kFours = R"(
uint outside = 0u;
ivec2 pixel_(int e, int channels, int y) { return ivec2((e + 4096 * channels) / channels - 4096, y); }
uvec4 bytes_(uint word) { return uvec4(word) >> uvec4(0u, 8u, 16u, 24u) & 0xffu; }
uvec4 halves_(uint low, uint high) { return uvec4(low & 0xffffu, low >> 16, high & 0xffffu, high >> 16); }
uvec4 shifted(uvec4 a, uvec4 b, int s) {
  return s == 0 ? a : s == 1 ? uvec4(a.yzw, b.x) : s == 2 ? uvec4(a.zw, b.xy) : s == 3 ? uvec4(a.w, b.xyz) : b;
}
uint row_(int y) {
  return layer_ * push_.height + uint(kOutside_ ? clamp(y, 0, int(push_.height) - 1) : inside_(ivec2(0, y)).y);
}
uint first_(int e, uint channels) {
  return uint(clamp(e, 0, int(push_.pitch * kPerWord * channels) - 4));
}
)";

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

std::string plane(const std::string& name, size_t binding, const char* access) {
  return fmt::format("layout(std430, binding = {}) {} buffer Plane_{} {{ uint {}_[]; }};\n",
                     binding, access, name, name);
}

std::string packedReader(const std::string& function, const std::string& name,
                         const char* channels) {
  return fmt::format(
      "uint {}(ivec2 p, int c) {{\n  p = inside_(p);\n  return {}_[packed_(p, {}, uint(c))] >> "
      "shift_(p, {}, uint(c)) & kFull;\n}}\n",
      function, name, channels, channels);
}

std::string wordReader(const std::string& name) {
  return fmt::format(
      "uint {}(ivec2 p, int c) {{ return {}_[worded_(inside_(p), kOut, uint(c))]; }}\n", name,
      name);
}

/// NAME_row(e, y): the values e to e + 3 of a row, e a multiple of 4 within it; NAME_four: also
/// outside; NAME_any: any e. `load`: from `row` and `at_`. CPUs execute every branch, and unroll no
/// loop around another, so blocks far from the edges have kernels of their own.
std::string fourReaders(const std::string& function, const std::string& channels,
                        const std::string& load) {
  return fmt::format(
      R"(uvec4 {0}_row(int e, int y) {{
  const uint row = row_(y), at_ = first_(e, {1});
  uvec4 v = {2};
  if (kOutside_) v = mix(v, uvec4(outside), bvec4(y < 0 || y >= int(push_.height)));
  return v;
}}
uint {0}_value_(int e, int y) {{
  const ivec2 p = pixel_(e, int({1}), y);
  return kOutside_ && !inImage(p) ? outside : {0}(p, e - p.x * int({1}));
}}
uvec4 {0}_four(int e, int y) {{
  uvec4 v = {0}_row(e, y);
  if (kEdges_) {{
    if (e < 0 || e + 4 > int(push_.width * {1}))
      v = uvec4({0}_value_(e, y), {0}_value_(e + 1, y), {0}_value_(e + 2, y), {0}_value_(e + 3, y));
  }}
  return v;
}}
uvec4 {0}_any(int e, int y) {{
  const int s = e & 3;
  return shifted({0}_four(e - s, y), {0}_four(e - s + 4, y), s);
}}
)",
      function, channels, load);
}

std::string packedFours(const std::string& function, const std::string& name,
                        const std::string& channels) {
  const std::string word = fmt::format("row * push_.pitch * {} + at_ / kPerWord", channels);
  return fourReaders(
      function, channels,
      fmt::format("kBits == 8u ? bytes_({0}_[{1}]) : halves_({0}_[{1}], {0}_[{1} + 1u])", name,
                  word));
}

/// What passes with tiles have beside that. LOAD_TILE(NAME_, e, y, wide, high) fills tile_[] with
/// so many words of so many rows, four values of 8 bits each; e is a multiple of 4. All lanes load
/// at once, in turns of four, from addresses that are always in the image. Then columns outside are
/// made from those inside, which are in the tile.
constexpr const char* kTile = R"(
const int kLanes = 256;
#define lane int(gl_LocalInvocationIndex)
// OpUDotKHR of words of four bytes, which is format 0. (glslang has no name for it yet.)
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = 4451)
uint dotOfBytes_(uint a, uint b, spirv_literal int format);
uint sumOfBytes(uint word, uint weights) { return dotOfBytes_(word, weights, 0); }
uint wordAt_(int e, int y) { return row_(y) * push_.pitch + uint(clamp(e, 0, int(push_.pitch) * 4 - 4)) / 4u; }
uint ignored_(uint word, int e, int y) {
  const int left = clamp(int(push_.width) - e, 0, 4);
  const bool none = e < 0 || y < 0 || y >= int(push_.height) || left == 0;
  const uint inner = none ? 0u : 0xffffffffu >> (32 - 8 * max(left, 1));
  return (word & inner) | (outside * 0x01010101u & ~inner);
}
bool withinImage(int e, int y, int wide, int high) {
  return e >= 0 && y >= 0 && e + wide <= int(push_.width) && y + high <= int(push_.height);
}
#define LOAD_TILE(plane, e0, y0, wide, high) { \
  const int count_ = (wide) * (high); \
  for (int i_ = lane; i_ < count_; i_ += 4 * kLanes) { \
    uint v_[4]; \
    [[unroll]] for (int k_ = 0; k_ < 4; ++k_) { \
      const int n_ = min(i_ + k_ * kLanes, count_ - 1); \
      v_[k_] = plane[wordAt_((e0) + n_ % (wide) * 4, (y0) + n_ / (wide))]; \
    } \
    [[unroll]] for (int k_ = 0; k_ < 4; ++k_) { \
      const int n_ = i_ + k_ * kLanes; \
      if (n_ >= count_) continue; \
      tile_[n_] = kOutside_ ? ignored_(v_[k_], (e0) + n_ % (wide) * 4, (y0) + n_ / (wide)) : v_[k_]; \
    } \
  } \
  barrier(); \
  const int left_ = max(-(e0) / 4, 0), right_ = (int(push_.width) - (e0)) / 4; \
  const int outer_ = kOutside_ ? 0 : left_ + clamp((wide) - right_, 0, 6); \
  for (int i_ = lane; i_ < outer_ * (high); i_ += kLanes) { \
    const int n_ = i_ % outer_, w_ = n_ < left_ ? n_ : right_ + n_ - left_, r_ = i_ / outer_ * (wide); \
    uint word_ = 0u; \
    [[unroll]] for (int k_ = 0; k_ < 4; ++k_) { \
      const int s_ = clamp(inside_(ivec2((e0) + 4 * w_ + k_, 0)).x - (e0), 0, 4 * (wide) - 1); \
      word_ |= (tile_[r_ + s_ / 4] >> (s_ % 4 * 8) & 255u) << (8 * k_); \
    } \
    if (w_ < (wide)) tile_[r_ + w_] = word_; \
  } \
  if (outer_ > 0) barrier(); \
}
)";

/// NAME_word(e, y): the four values of 8 bits from e, a multiple of 4, packed; inside the image.
/// NAME_edged: also outside, where the border is ignored; NAME_free: asks nothing, for tiles that
/// are withinImage().
std::string wordOfFour(const std::string& function, const std::string& name, bool ignored) {
  const std::string text =
      fmt::format(R"(uint {0}_word(int e, int y) {{ return {1}_[wordAt_(e, y)]; }}
uint {0}_free(int e, int y) {{
  return {1}_[(layer_ * push_.height + uint(y)) * push_.pitch + uint(e) / 4u];
}}
)",
                  function, name);
  if (!ignored) return text;
  return text +
         fmt::format("uint {0}_edged(int e, int y) {{ return ignored_({0}_word(e, y), e, y); }}\n",
                     function);
}

std::string doubleReader(const std::string& name) {
  return fmt::format(
      "uint {0}(ivec2 p, int c) {{\n  const uint at_ = worded_(inside_(p), kOut, uint(c));\n"
      "  return kBits == 8u ? {0}_[at_ / 2u] >> (at_ % 2u * 16u) & 0xffffu : {0}_[at_];\n}}\n",
      name);
}

std::string doubleFours(const std::string& name) {
  const std::string at = "row * push_.pitch * kPerWord * kOut + at_";
  return fourReaders(name, "kOut",
                     fmt::format("kBits == 8u ? halves_({0}_[({1}) / 2u], {0}_[({1}) / 2u + 1u]) : "
                                 "uvec4({0}_[{1}], {0}_[{1} + 1u], {0}_[{1} + 2u], {0}_[{1} + 3u])",
                                 name, at));
}

/// NAME_words(y): where the words of a row begin, whose order is the code's.
std::string wordsBegin(const std::string& name, uint32_t times) {
  return fmt::format("uint {}_words(int y) {{ return row_(y) * push_.pitch * kOut * {}u; }}\n",
                     name, times);
}

std::string wordFours(const std::string& name) {
  const std::string at = "row * push_.pitch * kPerWord * kOut + at_";
  return fourReaders(
      name, "kOut",
      fmt::format("uvec4({0}_[{1}], {0}_[{1} + 1u], {0}_[{1} + 2u], {0}_[{1} + 3u])", name, at));
}

std::string tableReaders(const Head& head) {
  std::string text;
  for (const Table& t : head.tables) {
    text += t.whole
                ? fmt::format("int {0}(int i) {{ return int(tables_[P.{0}_begin + uint(i)]); }}\n",
                              t.name)
                : fmt::format(
                      "float {0}(int i) {{ return uintBitsToFloat(tables_[P.{0}_begin + uint(i)]); "
                      "}}\n",
                      t.name);
  }
  return text;
}

constexpr const char* kMemory = R"(
uint remembered_(uint frame, ivec2 p, int c) {
  return frame % P.slots * P.extra + worded_(p, kOut, uint(c));
}
uint remembered(uint back, ivec2 p, int c) { return memory_[remembered_(P.frame - back, p, c)]; }
void remember(ivec2 p, int c, uint v) { memory_[remembered_(P.frame, p, c)] = v; }
)";

/// A file's words: where a layer's begin, a word a layer, then the words.
std::string wordsReader(const std::string& name) {
  return fmt::format("uint {0}(int i) {{ return {0}_[{0}_[layer_] + uint(i)]; }}\n", name);
}

constexpr const char* kMainStart = R"(
void main() {
  layer_ = gl_GlobalInvocationID.z;
  const uint w = gl_GlobalInvocationID.x;
  const uint y = gl_GlobalInvocationID.y;
  if (w >= push_.pitch * kOut || y >= push_.height) return;
  P = blocks_[layer_];
  if (P.present == 0u) return;
)";

std::string mainOf(const std::string& target, bool words) {
  std::string text = kMainStart;
  text += words ? "" : "  uint word = 0u;\n";
  text +=
      "  for (uint k = 0u; k < kPerWord; ++k) {\n"
      "    const uint e = w * kPerWord + k;\n"
      "    const ivec2 p = ivec2(min(e / kOut, push_.width - 1u), y);\n"
      "    const uint v = value(p, int(e % kOut));\n";
  if (words)
    text += fmt::format(
        "    {}_[(layer_ * push_.height + y) * push_.pitch * kPerWord * kOut + e] = v;\n  }}\n}}\n",
        target);
  else
    text += fmt::format(
        "    word |= (v & kFull) << (k * kBits);\n  }}\n"
        "  {}_[(layer_ * push_.height + y) * push_.pitch * kOut + w] = word;\n}}\n",
        target);
  return text;
}

/// put(e, y, v): four values of the plane; e is a multiple of 4.
std::string putOf(const std::string& target, const Pass& pass) {
  const std::string packed8 = "v.x | v.y << 8 | v.z << 16 | v.w << 24";
  const std::string wide = fmt::format(
      "{0}_[at_] = v.x; {0}_[at_ + 1u] = v.y; {0}_[at_ + 2u] = v.z; {0}_[at_ + 3u] = v.w;", target);
  const std::string halves = fmt::format(
      "{0}_[at_ / 2u] = v.x | v.y << 16; {0}_[at_ / 2u + 1u] = v.z | v.w << 16;", target);
  std::string store = wide;
  if (pass.twice) store = fmt::format("if (kBits == 8u) {{ {} }} else {{ {} }}", halves, wide);
  if (!pass.twice && !pass.words)
    store = fmt::format("v &= kFull;\n  if (kBits == 8u) {{ {}_[at_ / 4u] = {}; }} else {{ {} }}",
                        target, packed8, halves);
  return fmt::format(
      R"(void put(int e, int y, uvec4 v) {{
  if (e >= int(push_.pitch * kPerWord * kOut) || y >= int(push_.height)) return;
  const uint at_ = (layer_ * push_.height + uint(y)) * push_.pitch * kPerWord * kOut + uint(e);
  {}
}}
)",
      store);
}

/// Of a pass with tiles: put_word(e, y, word): four values of 8 bits.
std::string putWordOf(const std::string& target) {
  return fmt::format(
      "void put_word(int e, int y, uint word) {{\n"
      "  if (e < int(push_.pitch * 4u) && y < int(push_.height))\n"
      "    {}_[(layer_ * push_.height + uint(y)) * push_.pitch + uint(e) / 4u] = word;\n}}\n",
      target);
}

std::string tileMain(const Pass& pass) {
  return fmt::format(R"(
void main() {{
  layer_ = gl_WorkGroupID.z;
  if (blocks_[layer_].present == 0u) return;
  P = blocks_[layer_];
  tile(int(gl_WorkGroupID.x) * {}, int(gl_WorkGroupID.y) * {});
}}
)",
                     pass.blockWide, pass.blockHigh);
}

std::string blockMain(const Pass& pass) {
  return fmt::format(R"(
void main() {{
  layer_ = gl_GlobalInvocationID.z;
  const uint b = gl_GlobalInvocationID.x;
  const int e = int(b < push_.first ? b : b + push_.gap) * {};
  const int y = int(gl_GlobalInvocationID.y) * {};
  if (b >= push_.blocks || y >= int(push_.height)) return;
  P = blocks_[layer_];
  if (P.present == 0u) return;
  block(e, y);
}}
)",
                     pass.blockWide, pass.blockHigh);
}

/// Of a pass that changes a plane.
std::string changingMain() {
  return std::string(kMainStart) +
         "  for (uint k = 0u; k < kPerWord; ++k) {\n"
         "    const uint e = w * kPerWord + k;\n"
         "    if (e / kOut < push_.width) change(ivec2(e / kOut, y), int(e % kOut));\n  }\n}\n";
}

const Pass& writer(const Head& head, const std::string& scratch) {
  for (const Pass& pass : head.passes)
    if (pass.into == scratch) return pass;
  throw Error("no pass writes '" + scratch + "'");
}

std::string readWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder that is removed with all in it.
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

/// "line 12: 'x' : undeclared identifier"
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
  std::string text = kStart;
  text += pass.tile ? kTileLocal : kLocal;
  text += pass.blockWide > 0 ? kBlockPush : kPush;
  text += head.gives == 0 ? "const uint kOut = kChannels;\n"
                          : fmt::format("const uint kOut = {}u;\n", head.gives);
  text += fmt::format("#define PASS_{}\n", pass.name);
  text += blockOf(head) + plane("in", 2, "readonly");
  size_t binding = 3;
  for (const Input& input : head.inputs) text += plane(input.name, binding++, "readonly");
  for (const std::string& name : head.scratches())
    text += plane(name, binding++,
                  name != pass.into ? "readonly"
                  : pass.changes    ? "coherent"
                                    : "writeonly");
  if (head.memory) text += plane("memory", binding++, "coherent");
  if (pass.into.empty()) text += plane("out", binding++, "writeonly");
  text += kAccess;
  text += head.border == Head::Border::mirror      ? kMirror
          : head.border == Head::Border::replicate ? kReplicate
                                                   : kNoBorder;
  const bool blocks = pass.blockWide > 0;
  if (blocks) text += kFours;
  if (pass.tile) text += kTile;
  const bool ignored = head.border == Head::Border::none;
  const auto packed = [&](const std::string& function, const std::string& name, const char* of) {
    text += packedReader(function, name, of);
    if (blocks) text += packedFours(function, name, of);
    if (pass.tile) text += wordOfFour(function, name, ignored);
  };
  packed("at", "in", "kChannels");
  for (const Input& input : head.inputs) {
    if (input.form == Input::Form::plane)
      packed(input.name, input.name, "kChannels");
    else
      text += wordsReader(input.name);
  }
  for (const std::string& name : head.scratches()) {
    const Pass& from = writer(head, name);
    if (from.times > 1) {
      if (blocks) text += wordsBegin(name, from.times);
      continue;
    }
    if (name == pass.into) continue;
    if (!from.words && !from.twice) {
      packed(name, name, "kOut");
      continue;
    }
    text += from.words ? wordReader(name) : doubleReader(name);
    if (blocks) text += from.words ? wordFours(name) : doubleFours(name);
  }
  text += tableReaders(head);
  if (head.memory) text += kMemory;
  const std::string target = pass.into.empty() ? "out" : pass.into;
  if (blocks) text += putOf(target, pass);
  if (pass.tile) text += putWordOf(target);
  text += fmt::format("#line {}\n", head.codeLine) + head.code;
  if (pass.changes) return text + changingMain();
  if (pass.tile) return text + tileMain(pass);
  return text + (blocks ? blockMain(pass) : mainOf(target, pass.words));
}

std::string placeSource() {
  return R"(#version 460
layout(local_size_x = 16, local_size_y = 4) in;
layout(constant_id = 0) const uint kBits = 8u;
layout(constant_id = 1) const uint kChannels = 1u;
const uint kPerWord = 32u / kBits;
layout(push_constant) uniform Push { uint width, height, pitch, fromWidth, fromHeight, fromPitch; int x, y; } push_;
layout(std430, binding = 0) readonly buffer In { uint in_[]; };
layout(std430, binding = 1) writeonly buffer Out { uint out_[]; };
void main() {
  const uint w = gl_GlobalInvocationID.x;
  const uint y = gl_GlobalInvocationID.y;
  const uint layer = gl_GlobalInvocationID.z;
  if (w >= push_.pitch * kChannels || y >= push_.height) return;
  const int fromY = int(y) + push_.y;
  uint word = 0u;
  for (uint k = 0u; k < kPerWord; ++k) {
    const uint e = w * kPerWord + k;
    const int fromX = int(min(e / kChannels, push_.width - 1u)) + push_.x;
    if (fromX < 0 || fromY < 0 || fromX >= int(push_.fromWidth) || fromY >= int(push_.fromHeight)) continue;
    const uint from = uint(fromX) * kChannels + e % kChannels;
    const uint at = (layer * push_.fromHeight + uint(fromY)) * push_.fromPitch * kChannels + from / kPerWord;
    word |= (in_[at] >> (from % kPerWord * kBits) & ((1u << kBits) - 1u)) << (k * kBits);
  }
  out_[(layer * push_.height + y) * push_.pitch * kChannels + w] = word;
}
)";
}

std::string pointSource() {
  return std::string(kStart) + "layout(local_size_x = 16, local_size_y = 16) in;\n" + kPush +
         "struct Parameters { uint frame, present, slots, extra; };\n" + R"(
layout(std140, binding = 0) uniform Blocks { Parameters blocks_[16]; };
layout(std430, binding = 1) readonly buffer Tables { uint tables_[]; };
layout(std430, binding = 2) readonly buffer In { uvec4 in_[]; };
layout(std430, binding = 3) writeonly buffer Out { uvec4 out_[]; };
// Of 8 bits on devices that are no CPUs: a workgroup's own copy.
shared uint near_[256];
const bool kNear_ = !kEdges_ && kBits == 8u;
uint entry_(uint begin, uint v) { return kNear_ ? near_[v] : tables_[begin + v]; }
void main() {
  const uint at = gl_GlobalInvocationID.x;
  const uint y = gl_GlobalInvocationID.y;
  const uint layer = gl_GlobalInvocationID.z;
  const uint loads = push_.pitch * kChannels / 4u;
  const bool inside = at < loads && y < push_.height;
  if (!kNear_ && (!inside || blocks_[layer].present == 0u)) return;
  const uvec4 from = in_[(layer * push_.height + min(y, push_.height - 1u)) * loads + min(at, loads - 1u)];
  const uint begin = blocks_[layer].extra;
  if (kNear_) {
    near_[gl_LocalInvocationIndex] = tables_[begin + gl_LocalInvocationIndex];
    barrier();
    if (!inside || blocks_[layer].present == 0u) return;
  }
  uvec4 to = uvec4(0u);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    [[unroll]] for (uint k = 0u; k < 32u; k += kBits)
      to[i] |= entry_(begin, from[i] >> k & kFull) << k;
  }
  out_[(layer * push_.height + y) * loads + at] = to;
}
)";
}

std::vector<uint32_t> compile(const std::string& source, const std::string& where) {
  const TemporaryFolder folder;
  const std::string in = folder.path + "/filter.comp", out = folder.path + "/filter.spv",
                    told = folder.path + "/told";
  std::ofstream(in) << source;
  const std::string command = "glslangValidator --quiet --target-env vulkan1.2 -o '" + out + "' '" +
                              in + "' > '" + told + "' 2>&1";
  const int status = std::system(command.c_str());
  if (status == 127 << 8)
    throw Error(
        "your own filters need glslangValidator, which is not installed (Debian: glslang-tools)");
  if (status != 0) throw UsageError(firstMessage(readWhole(told), where));
  const std::string bytes = readWhole(out);
  std::vector<uint32_t> words(bytes.size() / 4);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data()));
  return words;
}

}  // namespace glint::filters
