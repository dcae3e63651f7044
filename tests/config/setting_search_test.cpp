// Tests the search for settings by the words of users.
#include "config/setting_search.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "config/settings.h"

namespace glint {
namespace {

struct Search {
  const char* query;
  const char* key;  // of the setting that it must find
};

void expectFound(std::initializer_list<Search> searches) {
  for (const Search& search : searches) {
    const auto found = findSettings(search.query);
    EXPECT_EQ(std::ranges::count(found, search.key), 1) << search.query << ", " << search.key;
    EXPECT_LT(found.size(), 16U) << search.query;
  }
}

TEST(SettingSearch, FindsSettingsByTheWordsOfTheField) {
  expectFound({{"jitter", "refine.method"},
               {"jitter", "response.kind"},
               {"blink", "track.max_gap"},
               {"blink", "track.stitch_gap"},
               {"blinking", "camera.power_line"},
               {"noise", "response.kind"},
               {"noise", "detect.min_significance"},
               {"exposure", "camera.exposure"},
               {"shutter", "camera.exposure"},
               {"sensitivity", "detect.threshold"},
               {"sensitivity", "camera.gain"},
               {"size", "detect.min_radius"},
               {"size", "detect.max_radius"},
               {"diameter", "response.radius"},
               {"minimum", "detect.separation"},
               {"minimum", "detect.min_mass"},
               {"maximum", "track.max_gap"},
               {"min size", "detect.min_radius"},
               {"roundness", "detect.max_eccentricity"},
               {"occlusion", "track.stitch_gap"},
               {"velocity", "track.max_speed"},
               {"roi", "detect.region"},
               {"reflections", "detect.mask"},
               {"gpu", "device.name"},
               {"latency", "live.wait"},
               {"genlock", "camera.trigger"},
               {"fps", "camera.rate"},
               {"resolution", "camera.size"},
               {"color", "camera.colour"}});
}

TEST(SettingSearch, FindsSettingsByTheWordsOfOpentrack) {
  expectFound({{"Threshold", "detect.threshold"},
               {"Auto threshold", "detect.threshold_sigma"},
               {"point size", "detect.max_radius"},
               {"Min point", "detect.min_radius"},
               {"smoothing", "response.kind"}});
}

TEST(SettingSearch, FindsSettingsByTheWordsOfMotive) {
  expectFound({{"THR", "detect.threshold"},
               {"EXP", "camera.exposure"},
               {"Frame Rate", "camera.rate"},
               {"Imager Gain", "camera.gain"},
               {"Circularity", "detect.max_eccentricity"},
               {"Roundness & shape", "detect.max_eccentricity"},
               {"Prediction radius", "track.gate"},
               {"Max label gap", "track.stitch_gap"},
               {"Mask visible", "detect.mask"},
               {"Strobe", "camera.controls"}});
}

TEST(SettingSearch, FindsSettingsByTheWordsOfTrackpy) {
  expectFound({{"diameter", "detect.min_radius"},
               {"minmass", "detect.min_mass"},
               {"maxsize", "detect.max_radius"},
               {"separation", "detect.separation"},
               {"noise_size", "response.radius"},
               {"smoothing_size", "response.radius"},
               {"topn", "detect.max_markers"},
               {"percentile", "detect.threshold"},
               {"preprocess", "response.kind"},
               {"invert", "response.dark"},
               {"search_range", "track.max_speed"},
               {"memory", "track.max_gap"},
               {"filter_stubs", "track.confirm"}});
}

TEST(SettingSearch, FindsSettingsByTheWordsOfTrackMate) {
  expectFound({{"Estimated object diameter", "response.radius"},
               {"Estimated blob diameter", "response.radius"},
               {"Quality threshold", "detect.threshold"},
               {"LoG detector", "response.kind"},
               {"Sub-pixel localization", "refine.method"},
               {"Linking max distance", "track.max_speed"},
               {"Gap-closing max frame gap", "track.max_gap"},
               {"Initial search radius", "track.max_speed"},
               {"Search radius", "track.gate"},
               {"SNR", "detect.min_significance"},
               {"Contrast", "detect.min_significance"}});
}

TEST(SettingSearch, FindsSettingsByTheWordsOfKinovea) {
  expectFound({{"Search window", "track.gate"},
               {"Object window", "response.radius"},
               {"Similarity threshold", "detect.min_score"},
               {"Stream format", "camera.format"},
               {"Image size", "camera.size"}});
}

TEST(SettingSearch, FindsLabelsKeysAndHelpWhateverTheCase) {
  for (const SettingInfo& setting : listSettings(Settings())) {
    for (const std::string& query : {setting.key, labelOf(setting.key), setting.help}) {
      std::string upper = query;
      std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
      EXPECT_EQ(std::ranges::count(findSettings(upper), setting.key), 1) << query;
    }
  }
}

TEST(SettingSearch, WordsThatStandTogetherFindOnlyTheirSettings) {
  EXPECT_EQ(
      findSettings("radius of a marker"),
      (std::vector<std::string>{"response.radius", "detect.min_radius", "detect.max_radius"}));
  EXPECT_EQ(findSettings("brighter is kept"), std::vector<std::string>{"detect.separation"});
}

TEST(SettingSearch, FindsNothingForWordsThatNoSettingHas) {
  EXPECT_TRUE(findSettings("zebra").empty());
  EXPECT_TRUE(findSettings("minimum zebra").empty());
  EXPECT_EQ(findSettings("  ").size(), listSettings(Settings()).size());
}

}  // namespace
}  // namespace glint
