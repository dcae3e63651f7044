// Tests presets, whose files must not contain passwords.
#include "app/shell/desk/presets.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "app/shell/desk/settings_history.h"
#include "config/error.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

const std::string kSecretInput = "file:http://user:secret@camera/dark.png";

Settings withSecret() {
  Settings settings;
  settings.filters = {filters::parseUse("dark=blend:over=" + kSecretInput, "test")};
  return settings;
}

std::string inputOf(const Settings& settings) {
  return settings.filters.at(0).inputs.at("over").real();
}

std::string toToml(const Settings& settings) {
  std::ostringstream text;
  writeToml(settings, text);
  return text.str();
}

void expectNoSecret(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("http://user:***@camera/dark.png"), std::string::npos) << text;
  EXPECT_EQ(text.find("secret"), std::string::npos) << text;
}

TEST(Presets, PasswordsAreKeptInTheProgramAndNotInTheFile) {
  const test::Folder folder;
  shell::Presets presets(folder.path());
  presets.save("mine", withSecret());
  expectNoSecret(presets.file("mine").string());
  EXPECT_EQ(inputOf(presets.load("mine", Settings())), kSecretInput);
  const shell::Presets later(folder.path());
  EXPECT_EQ(inputOf(later.load("mine", withSecret())), kSecretInput) << "as it is now";
  const Settings loaded = later.load("mine", Settings());
  EXPECT_FALSE(loaded.filters.at(0).inputs.at("over").isComplete());
}

TEST(Presets, OnlyRegularFilesWithPrintableNamesAreListed) {
  const test::Folder folder;
  shell::Presets presets(folder.path());
  presets.save("mine", Settings());
  presets.save("\u00fcber \u65e5\u672c", Settings());
  std::filesystem::create_directory(presets.file("folder"));
  ASSERT_EQ(::mkfifo(presets.file("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("nowhere", presets.file("dangling"));
  std::filesystem::create_symlink("loop.toml", presets.file("loop"));
  for (const char* name : {"escape\x1b[31m", "c1\xc2\x9b", "latin\xe9", "line\n", ".hidden"}) {
    std::ofstream(presets.file(name)) << "";
    EXPECT_THROW(presets.save(name, Settings()), UsageError) << name;
  }
  EXPECT_EQ(presets.names(), (std::vector<std::string>{"mine", "\u00fcber \u65e5\u672c"}));
  EXPECT_FALSE(presets.has("pipe"));
  EXPECT_FALSE(presets.has("folder"));
}

// A damaged preset is refused with its name, or gives settings that can be saved and loaded again.
TEST(Presets, DamagedFilesAreRefusedOrRead) {
  const test::Folder folder;
  shell::Presets presets(folder.path());
  Settings settings = withSecret();
  settings.detect.separation = 7;
  presets.save("whole", settings);
  std::ifstream file(presets.file("whole"));
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  std::mt19937 random(54);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = whole;
    const size_t changes = 1 + random() % 3;
    for (size_t k = 0; k < changes; ++k) {
      const size_t at = random() % damaged.size();
      switch (random() % 4) {
        case 0:
          damaged[at] = static_cast<char>(random());
          break;
        case 1:
          damaged.erase(at, 1 + random() % 20);
          break;
        case 2:
          damaged.insert(at, whole.substr(random() % whole.size(), random() % 40));
          break;
        default:
          damaged.resize(at + 1);
      }
    }
    std::ofstream(presets.file("damaged")) << damaged;
    try {
      presets.save("again", presets.load("damaged", Settings()));
      const Settings first = presets.load("again", Settings());
      presets.save("again", first);
      EXPECT_EQ(toToml(presets.load("again", Settings())), toToml(first)) << damaged;
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("damaged.toml"), std::string::npos) << text << "\n" << damaged;
      ++refused;
    }
  }
  EXPECT_GT(refused, 300);
  EXPECT_LT(refused, 2990);
}

TEST(SettingsHistory, AFileThatWasSavedOpensWithItsPasswords) {
  const test::Folder folder;
  const std::string path = folder / "mine.toml";
  shell::SettingsHistory history{withSecret()};
  history.save(path);
  expectNoSecret(path);
  history.edit(Settings(), 1);
  history.load(path, 2);
  EXPECT_EQ(inputOf(history.now()), kSecretInput);
}

}  // namespace
}  // namespace glint
