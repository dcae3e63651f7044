#include "app/capture/synth/options.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <variant>

#include <fmt/format.h>

#include "app/base/text.h"
#include "config/error.h"

namespace glint::capture {
namespace {

constexpr std::string_view kPrefix = "synth:";

using Member = std::variant<FrameSize SynthOptions::*, int SynthOptions::*,
                            uint64_t SynthOptions::*, double SynthOptions::*>;
using Defaults = std::array<std::string_view, kSynthSceneNames.size()>;  // "": the scene lacks it

struct Option {
  std::string_view key;
  Member member;
  Defaults defaults;
  double least, most;
  double every;  // 1: whole numbers; 8: multiples of 8; 0: any number
  std::string_view unit, help;
};

using O = SynthOptions;

// The largest seed is 2^53, because every whole number up to it is exact in the double that parses
// it.
constexpr double kMaxSeed = 9007199254740992.0;

// Each option has two lines.
// clang-format off
const std::array options{
    Option{"size", &O::size, {"1280x720", "1280x720", "1280x720", "1280x1024", "640x480"}, 16, 16384, 1,
           "px", "Width and height of the image."},
    Option{"frames", &O::frames, {"300", "300", "300", "500", "40"}, 1, 1e9, 1,
           "frames", "Number of frames."},
    Option{"fps", &O::fps, {"60", "60", "60", "60", "5"}, 0.001, 1e5, 0,
           "1/s", "Frame rate."},
    Option{"seed", &O::seed, {"1", "1", "1", "1", "1"}, 0, kMaxSeed, 1,
           "", "Picks the motion and the noise."},
    Option{"cameras", &O::cameras, {"4", "1", "1", "4", "2"}, 1, 8, 1,
           "", "Cameras of the scene."},
    Option{"camera", &O::camera, {"0", "0", "0", "0", "0"}, 0, 7, 1,
           "", "Number of the camera that sees this image, from 0."},
    Option{"bits", &O::bits, {"8", "8", "8", "8", "8"}, 8, 16, 8,
           "", "Depth of a pixel."},
    Option{"markers", &O::markers, {"", "100", "30", "", ""}, 1, 4096, 1,
           "", "Markers in the image."},
    Option{"radius", &O::radius, {"", "0", "3", "", ""}, 0, 200, 0,
           "px", "Radius of disc markers; 0 makes them Gaussians."},
    Option{"sigma", &O::sigma, {"", "1.5", "1.5", "", ""}, 0.3, 50, 0,
           "px", "Sigma of Gaussian markers, the lens included."},
    Option{"diameter", &O::diameter, {"20", "", "", "10", ""}, 5, 60, 0,
           "mm", "Diameter of the markers."},
    Option{"length", &O::length, {"", "", "", "500", ""}, 10, 5000, 0,
           "mm", "Distance between the ends of the wand."},
    Option{"middle", &O::middle, {"", "", "", "0", ""}, 0, 5000, 0,
           "mm", "Distance of a third light from one end; 0: no third light."},
    Option{"columns", &O::columns, {"", "", "", "", "5"}, 4, 51, 1,
           "", "Squares of the board in a row."},
    Option{"rows", &O::rows, {"", "", "", "", "7"}, 4, 51, 1,
           "", "Rows of squares of the board."},
    Option{"square", &O::square, {"", "", "", "", "40"}, 1, 1000, 0,
           "mm", "Side of a square of the board."},
    Option{"marker", &O::marker, {"", "", "", "", "30"}, 0, 1000, 0,
           "mm", "Side of its markers, of DICT_4X4_50; 0: a chessboard."},
    Option{"blur", &O::blur, {"0.6", "0.6", "0.6", "0.6", ""}, 0.1, 20, 0,
           "px", "Sigma of the lens blur of discs."},
    Option{"amplitude", &O::amplitude, {"200", "200", "200", "200", "200"}, 0, 1e5, 0,
           "counts", "Level of a disc, or height of a Gaussian, above the background."},
    Option{"background", &O::background, {"8", "10", "10", "8", "20"}, 0, 255, 0,
           "counts", "Level without markers."},
    Option{"noise", &O::noise, {"2", "2", "2", "2", "2"}, 0, 100, 0,
           "counts", "Standard deviation of the read noise."},
    Option{"gain", &O::gain, {"0.03", "0.03", "0.03", "0.03", "0.03"}, 0, 100, 0,
           "counts", "Shot noise: its variance is gain * signal."},
    Option{"step", &O::step, {"", "", "6", "", ""}, 0, 100, 0,
           "px/frame", "Mean speed of the markers."},
    Option{"missed", &O::missed, {"", "", "0", "", ""}, 0, 0.9, 0,
           "", "Share of the markers that a single frame lacks."},
    Option{"occluded", &O::occluded, {"", "", "0", "", ""}, 0, 0.9, 0,
           "", "Share of the markers hidden for 8 frames at a time."},
};
// clang-format on

const std::string_view& defaultOf(const Option& option, SynthScene scene) {
  return option.defaults[static_cast<size_t>(scene)];
}

std::string allowedOf(const Option& option) {
  if (std::holds_alternative<FrameSize SynthOptions::*>(option.member))
    return fmt::format("WIDTHxHEIGHT with sides of {} to {}", option.least, option.most);
  if (option.every > 1) return fmt::format("{} or {}", option.least, option.most);
  return fmt::format("{} to {}{}", option.least, option.most,
                     option.every == 1 ? " (whole numbers)" : "");
}

std::optional<double> readNumber(std::string_view text, const Option& option) {
  const auto value = base::parseNumber<double>(text);
  if (!value || *value < option.least || *value > option.most) return {};
  if (option.every > 0 && std::fmod(*value, option.every) != 0) return {};
  return value;
}

bool assign(SynthOptions& to, const Option& option, std::string_view text) {
  if (const auto* size = std::get_if<FrameSize SynthOptions::*>(&option.member)) {
    const size_t cross = std::min(text.find('x'), text.size());
    const auto width = readNumber(text.substr(0, cross), option);
    const auto height = readNumber(text.substr(std::min(cross + 1, text.size())), option);
    if (!width || !height) return false;
    to.*(*size) = {static_cast<uint32_t>(*width), static_cast<uint32_t>(*height)};
    return true;
  }
  const auto value = readNumber(text, option);
  if (!value) return false;
  if (const auto* whole = std::get_if<int SynthOptions::*>(&option.member))
    to.*(*whole) = static_cast<int>(*value);
  else if (const auto* count = std::get_if<uint64_t SynthOptions::*>(&option.member))
    to.*(*count) = static_cast<uint64_t>(*value);
  else
    to.*(std::get<double SynthOptions::*>(option.member)) = *value;
  return true;
}

std::string listed(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

SynthScene readScene(const std::string& spec, std::string_view name) {
  for (size_t i = 0; i < kSynthSceneNames.size(); ++i)
    if (kSynthSceneNames[i] == name) return static_cast<SynthScene>(i);
  throw UsageError("'{}': there is no scene '{}'; the scenes are {}", spec, name,
                   listed(kSynthSceneNames));
}

const Option& findOption(const std::string& spec, SynthScene scene, std::string_view key) {
  std::vector<std::string_view> known;
  for (const Option& option : options) {
    if (defaultOf(option, scene).empty()) continue;
    if (option.key == key) return option;
    known.push_back(option.key);
  }
  throw UsageError("'{}': the scene {} has no option '{}'; it has {}", spec,
                   kSynthSceneNames[static_cast<size_t>(scene)], key, listed(known));
}

void assignPair(SynthOptions& to, const std::string& spec, std::string_view pair,
                std::set<std::string_view>& given) {
  const size_t equals = pair.find('=');
  if (equals == std::string_view::npos)
    throw UsageError("'{}': '{}' is not of the form key=value", spec, pair);
  const std::string_view key = pair.substr(0, equals), value = pair.substr(equals + 1);
  const Option& option = findOption(spec, to.scene, key);
  if (!given.insert(option.key).second) throw UsageError("'{}': {} is given twice", spec, key);
  if (!assign(to, option, value))
    throw UsageError("'{}': {} is '{}', allowed is {}", spec, key, value, allowedOf(option));
}

}  // namespace

SynthOptions::SynthOptions(SynthScene kind) : scene(kind) {
  for (const Option& option : options)
    if (!defaultOf(option, kind).empty()) assign(*this, option, defaultOf(option, kind));
}

std::vector<SynthOptionInfo> listSynthOptions() {
  std::vector<SynthOptionInfo> list;
  for (const Option& option : options) {
    SynthOptionInfo& info = list.emplace_back();
    info.key = option.key;
    for (size_t i = 0; i < info.defaults.size(); ++i) info.defaults[i] = option.defaults[i];
    info.allowed = allowedOf(option);
    info.unit = option.unit;
    info.help = option.help;
  }
  return list;
}

bool isSynth(const std::string& spec) {
  return spec.starts_with(kPrefix);
}

SynthOptions parseSynth(const std::string& spec) {
  std::string_view rest = spec;
  if (!isSynth(spec))
    throw UsageError("'{}' is not a synthetic source; write synth:SCENE?key=value", spec);
  rest.remove_prefix(kPrefix.size());
  const size_t question = std::min(rest.find('?'), rest.size());
  SynthOptions result(readScene(spec, rest.substr(0, question)));
  rest.remove_prefix(std::min(question + 1, rest.size()));

  std::set<std::string_view> given;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('&'), rest.size());
    assignPair(result, spec, rest.substr(0, end), given);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (result.camera >= result.cameras)
    throw UsageError("'{}': camera is {}, allowed is 0 to {}, since cameras is {}", spec,
                     result.camera, result.cameras - 1, result.cameras);
  return result;
}

}  // namespace glint::capture
