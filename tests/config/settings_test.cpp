#include "config/settings.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <sstream>

#include <gtest/gtest.h>

#include "config/error.h"
#include "config/printable.h"

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

TEST(Settings, EveryMemberHasADefault) {
  // If describe() does not know a member, that member keeps the bytes that its memory held before.
  alignas(Settings) std::array<std::array<std::byte, sizeof(Settings)>, 2> memory;
  memory[0].fill(std::byte{0x55});
  memory[1].fill(std::byte{0xaa});
  const Settings* one = new (memory[0].data()) Settings;
  const Settings* other = new (memory[1].data()) Settings;
  EXPECT_TRUE(*one == *other) << "config/describe.h lacks a member of config/settings.h";
  std::destroy_at(one);
  std::destroy_at(other);
}

TEST(Settings, TextSetsEveryType) {
  Settings settings;
  setFromText(settings, "detect.separation", "12.5", "--set");
  setFromText(settings, "detect.max_markers", "7", "--set");
  setFromText(settings, "detect.threshold", ".25", "--set");
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
  EXPECT_NE(refusal("detect.threshold", "nan").find("0 to 1 of full scale, or \"auto\""),
            std::string::npos);
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

TEST_F(SettingsFile, SingleCamerasAreOverAllOfThem) {
  Settings settings;
  for (const char* set : {"camera.exposure=20", "camera.gain=auto", "camera.1.exposure=300",
                          "camera.12.power_line=60 Hz", "camera.1.rate=25"})
    setFromText(settings, set, "--set");
  std::ostringstream text;
  writeToml(settings, text);
  Settings read;
  readToml(read, write(text.str()));
  for (const Settings& each : {settings, read}) {
    EXPECT_EQ(cameraSettings(each, 0).exposure, "20");
    EXPECT_EQ(cameraSettings(each, 1).exposure, "300");
    EXPECT_EQ(cameraSettings(each, 1).gain, "auto");
    EXPECT_EQ(cameraSettings(each, 1).rate, 25);
    EXPECT_EQ(cameraSettings(each, 12).powerLine, "60 Hz");
    EXPECT_EQ(cameraSettings(each, 12).exposure, "20");
  }
  EXPECT_NE(messageOf([&] {
              setFromText(settings, "camera.1.exposur=3", "--set");
            }).find("'camera.exposur'; did you mean 'camera.exposure'"),
            std::string::npos);
}

TEST_F(SettingsFile, CamerasAreKnownByTheirIdsWhateverTheirNumbers) {
  Settings settings;
  for (const char* set : {"camera.0.exposure=1", "camera.1.exposure=2", "camera.2.exposure=3"})
    setFromText(settings, set, "--set");
  placeCameras(settings, {"red", "", "blue"});
  std::ostringstream text;
  writeToml(settings, text);
  Settings read;
  readToml(read, write(text.str()));
  EXPECT_EQ(read.cameras, settings.cameras);
  EXPECT_EQ(read.cameras[0].id, "red");
  EXPECT_EQ(read.cameras[2].id, "blue");
  // Other cameras are present now. The settings of the absent camera "red" are kept, and settings
  // that name a camera only by number stay with that number.
  placeCameras(read, {"blue", "green"});
  EXPECT_EQ(cameraSettings(read, 0).exposure, "3");
  EXPECT_EQ(cameraSettings(read, 1).exposure, "2");
  EXPECT_EQ(read.cameras[1].id, "green");
  EXPECT_EQ(read.cameras.size(), 3U);
  setFromText(read, "camera.0.gain=7", "--set");
  placeCameras(read, {"green", "red", "blue"});
  EXPECT_EQ(cameraSettings(read, 0).exposure, "2");
  EXPECT_EQ(cameraSettings(read, 1).exposure, "1");
  EXPECT_EQ(cameraSettings(read, 2).exposure, "3");
  EXPECT_EQ(cameraSettings(read, 2).gain, "7");
  EXPECT_NE(
      messageOf([&] { setFromText(read, "camera.1.id=3", "--set"); }).find("must be a string"),
      std::string::npos);
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

// toml++ 3.3 has undefined behaviour for values that begin with a letter outside ASCII.
TEST_F(SettingsFile, LettersOutsideAsciiStandInQuotes) {
  Settings settings;
  setFromText(settings, "detect.mask", "\u00e9.png", "--set");
  EXPECT_EQ(settings.detect.mask, "\u00e9.png");
  setFromText(settings, "detect.mask", "\"\u00e8.png\"", "--set");
  EXPECT_EQ(settings.detect.mask, "\u00e8.png");
  const auto refusal = [&](const std::string& text) {
    return messageOf([&] { readToml(settings, write(text)); });
  };
  // toml++ would take these quotes for parts of the value.
  EXPECT_NE(refusal("[detect]\nmask = 4'\u00e9'\n").find("line 2: unexpected '"),
            std::string::npos);
  EXPECT_NE(refusal("[detect]\nmask = 4[ '\u00e9']\n").find("line 2: unexpected ["),
            std::string::npos);
  EXPECT_NE(refusal("[detect]\nmask = 4.b='\u00e9'\n").find("line 2: a value cannot hold a ="),
            std::string::npos);
  EXPECT_NE(refusal("[detect]\nmask = 4.'\u00e9'\n").find("line 2: parts of keys"),
            std::string::npos);
  EXPECT_EQ(refusal("[\"detect\"]\nmask = '\u00e9.png' # isn't '\u00e9'\n"), "");
  EXPECT_NE(refusal("[detect]\n\nmask = \u00e9.png\n").find("line 3: text that is not ASCII"),
            std::string::npos);
  EXPECT_NE(refusal("[d\u00e9tect]\n").find("line 1"), std::string::npos);
  EXPECT_NE(refusal("[detect]\nmask = 'a' # \u00e9\nseparation = \u0663\n").find("line 3"),
            std::string::npos);
  EXPECT_EQ(refusal("\uFEFF# \u00e9\n[detect]\nmask = \"\"\"\n\u00e9\"\"\u00e9\"\"\"\"\n"), "");
  EXPECT_EQ(settings.detect.mask, "\u00e9\"\"\u00e9\"");
  EXPECT_EQ(refusal("[detect]\nmask = '\u00e9\\'\nseparation = 3\n"), "");
  EXPECT_EQ(settings.detect.separation, 3);
}

TEST_F(SettingsFile, DepthAndSizeHaveLimits) {
  Settings settings;
  const auto refusal = [&](const std::string& text) {
    return messageOf([&] { readToml(settings, write(text)); });
  };
  std::string dots = "a", brackets(100'000, '['), tables;
  for (int i = 0; i < 100'000; ++i) dots += ".a";
  for (int i = 0; i < 1'000; ++i) tables += "{ a = ";
  EXPECT_NE(refusal(dots + " = 1\n").find("parts"), std::string::npos);
  EXPECT_NE(refusal("[" + dots + "]\n").find("parts"), std::string::npos);
  EXPECT_NE(refusal("a = " + brackets).find("deep"), std::string::npos);
  EXPECT_NE(refusal("a = " + tables).find("deep"), std::string::npos);
  EXPECT_NE(refusal(std::string(2 << 20, '\n')).find("larger than"), std::string::npos);
  EXPECT_LT(refusal("[detect]\nmask = [\"" + std::string(300'000, 'x') + "\"]\n").size(), 500U);
  EXPECT_LT(messageOf([&] { setFromText(settings, dots, "1", "--set"); }).size(), 500U);
}

TEST(Printable, NamesOfAnyBytesAreUtf8AndComeBack) {
  EXPECT_EQ(toUtf8("a\xff\u00e9\xe2\x82"), "a\\xff\u00e9\\xe2\\x82");
  EXPECT_EQ(toUtf8("C:\\xylophone\\x1b"), "C:\\xylophone\\x1b");
  EXPECT_EQ(toUtf8("\\xff"), "\\x5cxff");  // This name merely looks like an escaped one.
  EXPECT_EQ(fromUtf8("\\x5cxff\\xFf\\xf"), "\\xff\xff\\xf");
}

TEST_F(SettingsFile, ANameOfAnyBytesReadsBackAsTheSame) {
  Settings settings;
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  for (const std::string& name : {all, std::string("\\xff\xff\\x5c"), std::string("m\xe9.png")}) {
    settings.detect.mask = name;
    settings.cameras[1].id = name;
    settings.filters = {
        {.id = "two", .name = "blend", .inputs = {{"over", Address("file:" + name)}}}};
    std::ostringstream text;
    writeToml(settings, text);
    Settings again;
    readToml(again, write(text.str()));
    EXPECT_EQ(again.detect.mask, name);
    EXPECT_EQ(again.cameras[1].id, name);
    EXPECT_EQ(again.filters.at(0).inputs, settings.filters[0].inputs);
    for (const SettingInfo& setting : listSettings(settings)) {
      if (setting.key != "detect.mask") continue;
      Settings set;  // A command from outside sends the value back like this.
      setFromText(set, "detect.mask", setting.value, "set");
      EXPECT_EQ(set.detect.mask, name);
    }
  }
}

TEST_F(SettingsFile, InputsOfFiltersKeepTheirSecretsAndShowNone) {
  const std::string first = "file:http://u:secret1@h/v#3", second = "file:http://u:secret2@h/v#3";
  Settings settings;
  settings.filters = {filters::parseUse("one=template:look=" + first, "test"),
                      filters::parseUse("two=template:look=" + second, "test")};
  const auto real = [](const Settings& of, size_t i) {
    return of.filters.at(i).inputs.at("look").real();
  };
  EXPECT_EQ(real(settings, 0), first);
  EXPECT_EQ(real(settings, 1), second);
  const auto expectNoneShown = [](const Settings& of) {
    std::ostringstream text;
    writeToml(of, text);
    for (const SettingInfo& setting : listSettings(of)) text << setting.value << '\n';
    EXPECT_EQ(text.str().find("secret"), std::string::npos);
    EXPECT_NE(text.str().find("http://u:***@h/v#3"), std::string::npos);
  };
  expectNoneShown(settings);

  Settings read;
  readToml(read,
           write("[[filter]]\nuse = \"template\"\nid = \"one\"\nlook = \"" + first +
                 "\"\n[[filter]]\nuse = \"template\"\nid = \"two\"\nlook = \"" + second + "\"\n"));
  EXPECT_EQ(real(read, 0), first);
  EXPECT_EQ(real(read, 1), second);
  expectNoneShown(read);

  setFromText(read, "filter.one.look", "file:http://u:secret3@h/w#3", "test");
  EXPECT_EQ(real(read, 0), "file:http://u:secret3@h/w#3");
  EXPECT_EQ(real(read, 1), second);
  setFromText(read, "filter.one.look", "file:http://u:***@h/w#3", "test");
  EXPECT_EQ(real(read, 0), "file:http://u:secret3@h/w#3") << "as it was shown";
}

TEST(Printable, NothingReachesATerminalThatItWouldObey) {
  EXPECT_EQ(printable("plain, \u00e9 \u20ac \U0001F600"), "plain, \u00e9 \u20ac \U0001F600");
  EXPECT_EQ(printable("\x1b[2J\r\n\x7f"), "\\x1b[2J\\x0d\\x0a\\x7f");
  EXPECT_EQ(printable("a\nb\r", true), "a\nb\\x0d");
  // This is the C1 control character that means the same as escape and bracket.
  EXPECT_EQ(printable("\u009b31m"), "\\xc2\\x9b31m");
  // These sequences are invalid by RFC 3629: an overlong one, a surrogate, one beyond U+10FFFF, one
  // cut short, and a continuation byte alone.
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\x80"), "\\x80");
  EXPECT_EQ(shortened("a\u00e9b", 2), "a...");
  EXPECT_EQ(shortened("a\u00e9b", 3), "a\u00e9...");
  EXPECT_EQ(shortened("a\u00e9b", 4), "a\u00e9b");
}

}  // namespace
}  // namespace glint
