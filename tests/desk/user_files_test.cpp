// Tests what the app remembers: folders, the window, and recent files. Broken files of these must
// do no harm.
#include "app/shell/desk/user_files.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/desk/folder.h"

namespace glint {
namespace {

using Lists = std::vector<std::vector<std::string>>;

Lists recentOf(shell::UserFiles& files) {
  Lists lists;
  for (const auto& sources : files.recent()) lists.push_back(shownOf(sources));
  return lists;
}

struct Warned {
  std::vector<std::string> sentences;
  std::function<void(const std::string&)> sink() {
    return [this](const std::string& sentence) { sentences.push_back(sentence); };
  }
};

void touch(const std::string& path, const std::string& text = "x") {
  std::ofstream(path) << text;
}

std::function<const char*(const char*)> environment(std::map<std::string, std::string>& values) {
  return [&values](const char* name) {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : found->second.c_str();
  };
}

TEST(UserFiles, TheFolderIsThatOfXdg) {
  std::map<std::string, std::string> values;
  EXPECT_EQ(shell::stateFolder(environment(values)), "");
  values["HOME"] = "/home/kim";
  EXPECT_EQ(shell::stateFolder(environment(values)), "/home/kim/.local/state/glint");
  values["XDG_STATE_HOME"] = "relative";
  EXPECT_EQ(shell::stateFolder(environment(values)), "/home/kim/.local/state/glint");
  values["XDG_STATE_HOME"] = "/s";
  EXPECT_EQ(shell::stateFolder(environment(values)), "/s/glint");
  values["XDG_STATE_HOME"] = values["HOME"] = "";
  EXPECT_EQ(shell::stateFolder(environment(values)), "");
}

TEST(UserFiles, TheWindowComesBack) {
  const test::Folder folder;
  Warned warned;
  shell::Remembered remembered;
  EXPECT_EQ(shell::UserFiles(folder.path() / "new/glint", warned.sink()).load(),
            shell::Remembered());
  remembered.window = {-20, 30, 1280, 720, true};
  remembered.numbers = {{"splitter.right", 0.73}, {"scale", 1.25}};
  remembered.switches = {{"hint.seen", true}, {"panel.log", false}};
  remembered.texts = {{"tab", "Track"}, {"folder", "/data/r\u00e9sum\u00e9 1"}};
  shell::UserFiles(folder.path() / "new/glint", warned.sink()).save(remembered);
  EXPECT_EQ(shell::UserFiles(folder.path() / "new/glint", warned.sink()).load(), remembered);
  EXPECT_TRUE(warned.sentences.empty());
}

TEST(UserFiles, WithoutAFolderNothingIsRememberedAndNothingSaid) {
  Warned warned;
  shell::UserFiles files({}, warned.sink());
  shell::Remembered remembered;
  remembered.window = {1, 2, 3, 4};
  files.save(remembered);
  files.addRecent({"synth:dancer"});
  EXPECT_EQ(files.load(), shell::Remembered());
  EXPECT_TRUE(files.recent().empty());
  EXPECT_TRUE(warned.sentences.empty());
}

TEST(UserFiles, BrokenFilesCountAsNoneWithOneWarning) {
  const char* const kBroken[] = {
      "",
      "{",
      "[1, 2]",
      "\"text\"",
      "{\"window\": 5, \"recent\": 5}",
      "\xff\xfe",
      "{\"window\": {\"x\": 1}, \"recent\": {\"a\": 1}}",
      "{\"window\": {\"x\": 1, \"y\": 1, \"width\": 0, \"height\": 9, \"maximised\": false}, "
      "\"recent\": [[1]]}",
      "{\"numbers\": {\"a\": \"b\"}, \"recent\": [\"a\"]}"};
  for (const char* text : kBroken) {
    const test::Folder folder;
    touch(folder / "window.json", text);
    touch(folder / "recent.json", text);
    Warned warned;
    shell::UserFiles files(folder.path(), warned.sink());
    EXPECT_EQ(files.load(), shell::Remembered()) << text;
    EXPECT_EQ(files.load(), shell::Remembered()) << text;
    EXPECT_TRUE(files.recent().empty()) << text;
    EXPECT_TRUE(files.recent().empty()) << text;
    EXPECT_EQ(warned.sentences.size(), 2U) << text << ": one a file";
    files.addRecent({"synth:dancer"});
    EXPECT_EQ(recentOf(files), (Lists{{"synth:dancer"}})) << "it works again";
  }
}

TEST(UserFiles, AFolderInTheWayIsToldOnce) {
  const test::Folder folder;
  std::filesystem::create_directory(folder / "window.json");
  touch(folder / "file");
  Warned warned;
  shell::UserFiles files(folder.path(), warned.sink());
  EXPECT_EQ(files.load(), shell::Remembered());
  files.save({});
  EXPECT_EQ(warned.sentences.size(), 1U);
  shell::UserFiles below(folder / "file", warned.sink());
  below.addRecent({"synth:dancer"});
  below.addRecent({"synth:spots"});
  EXPECT_TRUE(below.recent().empty());
  EXPECT_EQ(warned.sentences.size(), 2U);
}

TEST(UserFiles, RecentOnesAreNewestFirstEachOnceAndAtMostTwenty) {
  const test::Folder folder;
  shell::UserFiles files(folder.path(), {});
  for (int i = 0; i < 30; ++i) files.addRecent({Address("synth:dancer?seed=" + std::to_string(i))});
  files.addRecent({"synth:dancer?seed=25"});
  files.addRecent({"synth:a", "synth:b"});
  const Lists recent = recentOf(files);
  ASSERT_EQ(recent.size(), shell::UserFiles::kMostRecent);
  EXPECT_EQ(recent[0], (std::vector<std::string>{"synth:a", "synth:b"}));
  EXPECT_EQ(recent[1], std::vector<std::string>{"synth:dancer?seed=25"});
  EXPECT_EQ(recent[2], std::vector<std::string>{"synth:dancer?seed=29"});
  EXPECT_EQ(std::set(recent.begin(), recent.end()).size(), recent.size());
}

TEST(UserFiles, MissingFilesAreDroppedFromTheListAndComeBackWithTheirDisk) {
  const test::Folder folder;
  touch(folder / "a b.mp4");
  std::filesystem::create_directory(folder / "shots");
  shell::UserFiles files(folder / "state", {});
  files.addRecent({Address(folder / "a b.mp4")});
  files.addRecent({Address(folder / "shots/shot_%04d.png?fps=120")});
  files.addRecent({Address(folder / "shots?fps=120")});
  files.addRecent({Address(folder / "a b.mp4"), Address(folder / "gone.mp4")});
  files.addRecent({"rtsp://camera/1"});
  EXPECT_EQ(recentOf(files), (Lists{{"rtsp://camera/1"},
                                    {folder / "shots?fps=120"},
                                    {folder / "shots/shot_%04d.png?fps=120"},
                                    {folder / "a b.mp4"}}));
  std::filesystem::rename(folder / "a b.mp4", folder / "away");
  EXPECT_EQ(files.recent().size(), 3U);
  files.addRecent({"synth:dancer"});
  std::filesystem::rename(folder / "away", folder / "a b.mp4");
  EXPECT_EQ(files.recent().size(), 5U) << "another one was added meanwhile";
}

TEST(UserFiles, RelativePathsAreFoundFromElsewhere) {
  const test::Folder folder;
  shell::UserFiles files(folder.path(), {});
  files.addRecent({"./CMakeLists.txt/../x.mp4"});
  std::ifstream file(folder / "recent.json");
  const std::string text{std::istreambuf_iterator(file), {}};
  EXPECT_NE(text.find((std::filesystem::current_path() / "x.mp4").string()), std::string::npos);
}

/// If several processes and threads add to the list at the same time, no entry is lost.
TEST(UserFiles, SeveralAppsDoNotDestroyEachOthersList) {
  const test::Folder folder;
  constexpr int kApps = 4, kEach = 5;
  std::vector<pid_t> children;
  for (int app = 0; app < kApps; ++app) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      shell::UserFiles files(folder.path(), [](const std::string&) { ::_exit(1); });
      for (int i = 0; i < kEach; ++i)
        files.addRecent({Address("synth:" + std::to_string(app) + "-" + std::to_string(i))});
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  shell::UserFiles files(folder.path(), {});
  const Lists recent = recentOf(files);
  EXPECT_EQ(std::set(recent.begin(), recent.end()).size(), size_t{kApps * kEach});
}

TEST(UserFiles, PasswordsAreNotRemembered) {
  const test::Folder folder;
  Warned warned;
  shell::UserFiles files(folder.path(), warned.sink());
  files.addRecent({"rtsp://user:secret@camera/live?token=secret"});
  EXPECT_EQ(recentOf(files), (Lists{{"rtsp://user:***@camera/live?token=***"}}));
  EXPECT_TRUE(files.recent()[0][0].isComplete()) << "it can be opened again in this process";
  EXPECT_FALSE(shell::UserFiles(folder.path(), {}).recent()[0][0].isComplete());
  std::ifstream in(folder.path() / "recent.json");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text.find("secret"), std::string::npos) << text;
  // An earlier version stored the password.
  touch((folder.path() / "recent.json").string(),
        R"({"recent": [["http://user:secret@camera/"]]})");
  EXPECT_EQ(recentOf(files), (Lists{{"http://user:***@camera/"}}));
  EXPECT_TRUE(warned.sentences.empty());
}

}  // namespace
}  // namespace glint
