#include "config/settings.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "config/error.h"

namespace glint {
namespace {

std::string messageOf(const auto& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

class SettingsFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }
  ~SettingsFile() override { std::filesystem::remove(path_); }
  std::string path_ = testing::TempDir() + "glint_settings_test.toml";
};

TEST(Settings, DefaultsAreThoseOfTheDesign) {
  const Settings settings;
  EXPECT_EQ(settings.response.kind, ResponseKind::luminance);
  EXPECT_FALSE(settings.detect.threshold.has_value());
  EXPECT_EQ(settings.refine.radius, 0);
}

TEST(Settings, TextSetsEveryType) {
  Settings settings;
  setFromText(settings, "detect.separation", "12.5", "--set");
  setFromText(settings, "detect.max_markers", "7", "--set");
  setFromText(settings, "detect.threshold", "0.25", "--set");
  setFromText(settings, "response.kind", "inverted", "--set");
  setFromText(settings, "device.validation", "true", "--set");
  setFromText(settings, "device.name", "llvmpipe (LLVM)", "--set");
  EXPECT_EQ(settings.detect.separation, 12.5);
  EXPECT_EQ(settings.detect.maxMarkers, 7);
  EXPECT_EQ(settings.detect.threshold, 0.25);
  EXPECT_EQ(settings.response.kind, ResponseKind::inverted);
  EXPECT_TRUE(settings.device.validation);
  EXPECT_EQ(settings.device.name, "llvmpipe (LLVM)");
  setFromText(settings, "detect.threshold", "auto", "--set");
  EXPECT_FALSE(settings.detect.threshold.has_value());
}

TEST(Settings, RefusalsNameTheKeyAndWhatIsAllowed) {
  Settings settings;
  const auto refusal = [&](std::string_view key, std::string_view text) {
    return messageOf([&] { setFromText(settings, key, text, "--set"); });
  };
  EXPECT_EQ(refusal("detect.separation", "0"),
            "--set: 'detect.separation' cannot be 0; allowed is 1 to 65536 px");
  EXPECT_EQ(refusal("detect.max_markers", "2.5"),
            "--set: 'detect.max_markers' cannot be 2.5; allowed is 1 to 4096 markers");
  EXPECT_NE(refusal("detect.threshold", "nan").find("0 to 1 of full scale, or \"auto\""), std::string::npos);
  EXPECT_NE(refusal("response.kind", "bright").find("\"luminance\", \"inverted\""),
            std::string::npos);
  EXPECT_NE(refusal("detect.seperation", "8").find("did you mean 'detect.separation'"),
            std::string::npos);
  EXPECT_NE(refusal("detect.max_markers", "1\nextra = 2").find("detect.max_markers"),
            std::string::npos);
}

TEST_F(SettingsFile, WrittenAndReadBackAreTheSame) {
  Settings settings;
  setFromText(settings, "detect.separation", "3.25", "--set");
  setFromText(settings, "device.name", "a \"quoted\" name", "--set");
  std::ostringstream text;
  writeToml(settings, text);
  Settings read;
  readToml(read, write(text.str()));
  const auto a = listSettings(settings);
  const auto b = listSettings(read);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].value, b[i].value) << a[i].key;
}

TEST_F(SettingsFile, ErrorsNameTheFileAndTheLine) {
  Settings settings;
  const auto refusal = [&](const std::string& text) {
    return messageOf([&] { readToml(settings, write(text)); });
  };
  EXPECT_NE(refusal("[detect]\nseparation = 8\nthresold = 1\n").find("line 3"), std::string::npos);
  EXPECT_NE(refusal("[detect]\nmax_markers = 0\n").find("line 2"), std::string::npos);
  EXPECT_NE(refusal("[detect\n").find("line 1"), std::string::npos);
  EXPECT_EQ(refusal("[detect]\n"), "");
  EXPECT_NE(refusal("[detect]\n[detekt]\n").find("line 2: there is no section 'detekt'"),
            std::string::npos);
  EXPECT_NE(messageOf([&] { readToml(settings, "/nowhere/glint.toml"); }).find("/nowhere"),
            std::string::npos);
}

}  // namespace
}  // namespace glint
