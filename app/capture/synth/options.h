// Defines the options of synthetic scenes. Every option is declared once, in options.cpp: key,
// default in each scene, range, unit and help.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glint::capture {

/// dancer: a walking, turning human figure with markers, seen by a ring of pinhole cameras.
/// spots: static markers at known sub-pixel positions that never touch.
/// crossing: markers that move smoothly in the image, bounce off its border and cross each other.
/// wand: lights on a stick, waved through the middle of a ring of pinhole cameras.
/// board: a chessboard or a ChArUco board, held before pinhole cameras that stand side by side.
enum class SynthScene { dancer, spots, crossing, wand, board };

/// The names of the scenes, in the order of SynthScene.
constexpr std::array<std::string_view, 5> kSynthSceneNames{"dancer", "spots", "crossing", "wand",
                                                           "board"};

struct FrameSize {
  uint32_t width = 0, height = 0;  ///< px
};

/// Options of a scene. Levels are counts of an 8-bit camera; with bits = 16 the image is scaled by
/// 65535 / 255. Comments begin with the scenes that have an option, if not all have it.
struct SynthOptions {
  SynthScene scene;
  FrameSize size;
  uint64_t frames = 0;
  double fps = 0;
  uint64_t seed = 0;
  int cameras = 0, camera = 0;
  int bits = 0;
  int markers = 0;               ///< spots, crossing: number of markers
  double radius = 0, sigma = 0;  ///< spots, crossing: px; markers are Gaussians if radius is 0
  double diameter = 0;           ///< dancer, wand: mm of the markers
  /// wand: distance of the ends, mm; distance of a third light from one end, mm, or 0: no such
  /// light.
  double length = 0, middle = 0;
  int columns = 0, rows = 0;      ///< board: numbers of squares
  double square = 0, marker = 0;  ///< board: sides of squares and markers, mm; marker 0: chessboard
  double blur = 0;                ///< px: sigma of the lens's blur, for discs only
  double amplitude = 0, background = 0;  ///< counts
  double noise = 0;                      ///< counts: standard deviation of read noise
  double gain = 0;                       ///< counts: shot noise has the variance gain * signal
  double step = 0;                       ///< crossing: px/frame
  double missed = 0, occluded = 0;       ///< crossing: shares, 0 to 1

  /// Sets all options to the scene's defaults, and those that it does not have to 0.
  explicit SynthOptions(SynthScene kind);
};

/// One option as text, for listings.
struct SynthOptionInfo {
  std::string key;
  /// The default in each scene; empty: the scene does not have the option.
  std::array<std::string, kSynthSceneNames.size()> defaults;
  std::string allowed;  ///< allowed values, such as "1 to 8"
  std::string unit;     ///< such as "px"; or empty
  std::string help;     ///< one sentence
};

/// Returns every option, in the order of declaration.
std::vector<SynthOptionInfo> listSynthOptions();

/// Returns true if `spec` begins like a text for parseSynth().
bool isSynth(const std::string& spec);

/// Reads a text "synth:SCENE?key=value&key=value". Throws UsageError, which names the key and the
/// allowed values, for a text that is not of this form, an unknown scene or key, or a value out of
/// range.
SynthOptions parseSynth(const std::string& spec);

}  // namespace glint::capture
