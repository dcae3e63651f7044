// What can be set in a synthetic scene. Every option is declared once, in options.cpp: key, default
// in each scene, range, unit and help.
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

/// Levels are counts of an 8-bit camera; with bits = 16 the image is scaled by 65535 / 255.
struct SynthOptions {
  SynthScene scene;
  FrameSize size;
  uint64_t frames = 0;
  double fps = 0;
  uint64_t seed = 0;
  int cameras = 0, camera = 0;
  int bits = 0;
  int markers = 0;                ///< spots, crossing
  double radius = 0, sigma = 0;   ///< px; spots, crossing: a disc, or with radius 0 a Gaussian
  double diameter = 0;            ///< mm; dancer, wand
  double length = 0, middle = 0;  ///< mm; wand: between the ends; of a third light from one, or 0
  int columns = 0, rows = 0;      ///< board: squares
  double square = 0, marker = 0;  ///< mm; board: sides; marker 0: a chessboard
  double blur = 0;                ///< px, sigma of the lens; discs only
  double amplitude = 0, background = 0;  ///< counts
  double noise = 0;                      ///< counts, standard deviation
  double gain = 0;                       ///< counts: shot noise has the variance gain * signal
  double step = 0;                       ///< px/frame; crossing
  double missed = 0, occluded = 0;       ///< shares; crossing

  /// All options at the scene's defaults; those it does not have are 0.
  explicit SynthOptions(SynthScene kind);
};

/// One option as text, for listings.
struct SynthOptionInfo {
  std::string key;
  std::array<std::string, kSynthSceneNames.size()>
      defaults;         ///< per scene; empty: not in that scene
  std::string allowed;  ///< "1 to 8"
  std::string unit;     ///< "px", or empty
  std::string help;     ///< one sentence
};

/// Every option, in the order of declaration.
std::vector<SynthOptionInfo> listSynthOptions();

/// Whether it begins as parseSynth() wants it.
bool isSynth(const std::string& spec);

/// Reads "synth:SCENE?key=value&key=value". Throws UsageError for a text that is not of this form,
/// an unknown scene or key, or a value out of range, naming the key and what is allowed.
SynthOptions parseSynth(const std::string& spec);

}  // namespace glint::capture
