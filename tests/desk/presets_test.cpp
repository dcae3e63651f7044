// Tests presets, whose files must not contain passwords.
#include "app/shell/desk/presets.h"

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "app/shell/desk/settings_history.h"
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
