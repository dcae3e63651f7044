#include "config/setting_search.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "config/describe.h"
#include "config/lower_case.h"
#include "config/setting_key.h"

namespace glint {
namespace {

/// Other words for a setting, in lower case: those that people use for what it changes, and the
/// names that opentrack, Motive, trackpy, TrackMate and Kinovea have for it.
struct Synonyms {
  std::string_view key, words;
};
constexpr std::array kSynonyms{
    Synonyms{"response.kind"_key,
             "noise noisy grain jitter smoothing denoise filter preprocess invert negative plane "
             "channel log detector laplacian bandpass background"},
    Synonyms{"response.radius"_key,
             "size diameter blob spot object estimated point object window noise_size "
             "smoothing_size noise jitter"},
    Synonyms{"response.gain"_key, "sensitivity contrast amplify weak dim"},
    Synonyms{"response.dark"_key, "black invert negative shadow"},
    Synonyms{"detect.method"_key,
             "detector algorithm segmentation thresholding centroid touching merge split large"},
    Synonyms{"detect.max_markers"_key, "number count limit spots points particles topn top n"},
    Synonyms{"detect.separation"_key,
             "spacing proximity overlap duplicate double close neighbour non-maximum suppression"},
    Synonyms{"detect.threshold"_key,
             "sensitivity brightness level cutoff quality thr intensity percentile dim faint"},
    Synonyms{"detect.threshold_sigma"_key,
             "sensitivity noise automatic level standard deviation quality false spurious dim "
             "faint"},
    Synonyms{"detect.min_radius"_key, "size diameter small dust point pixel area"},
    Synonyms{"detect.max_radius"_key, "size diameter maxsize big large point pixel area"},
    Synonyms{"detect.max_eccentricity"_key,
             "roundness circularity shape round oval ellipse elongated streak blur aspect ratio "
             "ecc reflections"},
    Synonyms{"detect.min_mass"_key,
             "minmass size brightness intensity integrated total sum volume energy signal"},
    Synonyms{"detect.min_significance"_key,
             "sensitivity noise snr signal-to-noise quality contrast confidence false spurious "
             "ghost faint"},
    Synonyms{"detect.min_score"_key, "similarity correlation template match threshold"},
    Synonyms{"detect.score_ratio"_key, "similarity ambiguity template match uniqueness"},
    Synonyms{"detect.mask"_key,
             "exclude block hide reflections glare lamp window mask visible static background"},
    Synonyms{"detect.region"_key, "roi crop area of interest window rectangle include"},
    Synonyms{"detect.ignore"_key,
             "exclude block mask reflections glare lamp window rectangle area roi"},
    Synonyms{"refine.method"_key,
             "jitter subpixel sub-pixel localization localisation accuracy precision centroid "
             "gaussian iterations noise"},
    Synonyms{"refine.radius"_key, "jitter size diameter window accuracy precision subpixel"},
    Synonyms{"track.max_gap"_key,
             "memory blinking blinks flicker occlusion occluded hidden lost disappear dropout gap "
             "closing max frame gap-closing prediction frames missing"},
    Synonyms{"track.confirm"_key,
             "stubs filter_stubs minimum length short tracks false spurious ghost flashes noise "
             "birth initialise minimum number of frames"},
    Synonyms{"track.gate"_key,
             "search radius window range prediction linking tolerance swap switch identity id "
             "association"},
    Synonyms{"track.acceleration"_key,
             "motion model dynamics turns sharp jerk smoothness process noise kalman"},
    Synonyms{"track.max_speed"_key,
             "velocity displacement search_range search range linking max distance initial search "
             "radius search window fast jump motion"},
    Synonyms{"track.space_speed"_key, "velocity displacement 3d fast jump search range"},
    Synonyms{"track.stitch_gap"_key,
             "blinking blinks regain identity id relink reappear occlusion occluded lost gap "
             "closing gap-closing join merge stitching memory label gap max"},
    Synonyms{"device.name"_key, "gpu graphics card adapter"},
    Synonyms{"device.validation"_key, "debug layer errors"},
    Synonyms{"device.spin"_key, "latency delay spin poll cpu"},
    Synonyms{"live.window"_key, "synchronization sync genlock cameras group time tolerance"},
    Synonyms{"live.wait"_key, "latency delay timeout sync late drop"},
    Synonyms{"live.lag"_key, "latency delay automatic adaptation"},
    Synonyms{"camera.size"_key, "resolution width height image dimensions"},
    Synonyms{"camera.rate"_key, "fps framerate frequency hz speed capture"},
    Synonyms{"camera.format"_key, "stream encoding codec colour color space mono bit depth"},
    Synonyms{"camera.exposure"_key,
             "shutter brightness integration time motion blur sensitivity exp"},
    Synonyms{"camera.gain"_key, "iso sensitivity brightness amplification imager noise"},
    Synonyms{"camera.white_balance"_key, "color temperature awb tint"},
    Synonyms{"camera.focus"_key, "sharpness blur autofocus lens"},
    Synonyms{"camera.power_line"_key, "blinking 50 hz 60 hz mains frequency banding"},
    Synonyms{"camera.black_level"_key, "offset brightness pedestal"},
    Synonyms{"camera.trigger"_key, "sync synchronization genlock strobe external hardware"},
    Synonyms{"camera.controls"_key,
             "brightness contrast saturation gamma sharpness hue led strobe backlight"},
    Synonyms{"camera.colour"_key, "color rgb grayscale greyscale monochrome"}};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Returns the label, the key and the help of a setting, in lower case.
std::string ownText(const auto& setting) {
  std::string text;
  for (const std::string_view part : {setting.label, setting.key, setting.help})
    text.append(lowerCase(std::string(part))).push_back('\n');
  return text;
}

std::string_view synonymsOf(std::string_view key) {
  const auto at = std::ranges::find(kSynonyms, key, &Synonyms::key);
  return at == kSynonyms.end() ? std::string_view() : at->words;
}

/// Returns the words of a query, in lower case, without those that are only punctuation.
std::vector<std::string> wordsOf(const std::string& query) {
  const auto isLetter = [](unsigned char c) { return std::isalnum(c) != 0; };
  std::vector<std::string> words;
  std::istringstream given(query);
  for (std::string word; given >> word;)
    if (std::ranges::any_of(word, isLetter)) words.push_back(word);
  return words;
}

}  // namespace

std::vector<std::string> findSettings(std::string_view query) {
  const std::string given = lowerCase(std::string(query));
  const std::vector<std::string> words = wordsOf(given);
  std::vector<std::string> asPhrase, byWords;
  const Settings any;
  describe(any, [&](const auto& setting) {
    const std::string own = ownText(setting);
    const std::string all = own + std::string(synonymsOf(setting.key));
    if (words.size() > 1 && contains(own, given)) asPhrase.emplace_back(setting.key);
    if (std::ranges::all_of(words, [&](const auto& word) { return contains(all, word); }))
      byWords.emplace_back(setting.key);
  });
  return asPhrase.empty() ? byWords : asPhrase;
}

}  // namespace glint
