// Tests which files and folders a file chooser shows.
#include "app/shell/desk/folder_list.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include <gtest/gtest.h>

#include "app/capture/source/source_kinds.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

std::vector<std::string> names(const shell::FolderList& list) {
  std::vector<std::string> all;
  for (const shell::FolderEntry& entry : list.entries())
    all.push_back(entry.name + (entry.folder ? "/" : ""));
  return all;
}

void fill(const test::Folder& folder) {
  for (const char* name : {"take 10.mp4", "take 2.MP4", "notes.txt", ".hidden.mp4", "z.png"})
    std::ofstream(folder / name) << "12345";
  std::filesystem::create_directory(folder / "shots");
  std::filesystem::create_directory(folder / "Archive");
  std::filesystem::create_symlink("shots", folder / "link");
  std::filesystem::create_symlink("nowhere", folder / "dead");
}

TEST(FolderList, FoldersComeFirstAndNumbersAreInOrder) {
  const test::Folder folder;
  fill(folder);
  shell::FolderList list(folder.path().string());
  EXPECT_EQ(list.problem(), "");
  EXPECT_EQ(list.path(), folder.path());
  EXPECT_EQ(names(list), (std::vector<std::string>{"Archive/", "link/", "shots/", "notes.txt",
                                                   "take 2.MP4", "take 10.mp4", "z.png"}));
}

TEST(FolderList, KnowsSizesAndTimes) {
  const test::Folder folder;
  std::ofstream(folder / "a.mp4") << std::string(1234, 'x');
  const auto before = std::filesystem::last_write_time(folder / "a.mp4") - std::chrono::hours(48);
  const std::time_t now = std::time(nullptr);
  std::filesystem::last_write_time(folder / "a.mp4", before);
  const shell::FolderList list(folder.path().string());
  ASSERT_EQ(list.entries().size(), 1U);
  EXPECT_EQ(list.entries()[0].bytes, 1234U);
  EXPECT_NEAR(static_cast<double>(now - list.entries()[0].changed), 48 * 3600, 5);
}

TEST(FolderList, ShowsOnlyWhatCanBeChosen) {
  const test::Folder folder;
  fill(folder);
  shell::FolderList list(folder.path().string());
  list.setSuffixes({".mp4"});
  EXPECT_EQ(names(list),
            (std::vector<std::string>{"Archive/", "link/", "shots/", "take 2.MP4", "take 10.mp4"}));
  list.setSuffixes(capture::recordingSuffixes());
  EXPECT_EQ(list.entries().back().name, "z.png");
}

TEST(FolderList, KnowsTheWayHere) {
  const test::Folder folder;
  fill(folder);
  shell::FolderList list(folder / "shots/");
  EXPECT_EQ(list.path(), folder / "shots");
  list.open(folder.path().string());
  EXPECT_EQ(list.path(), folder.path());
  const auto way = list.way();
  EXPECT_EQ(way.front().second, "/");
  EXPECT_EQ(way.back().second, folder.path().string());
  EXPECT_EQ(way.back().first, folder.path().filename().string());
  list.open("/");
  EXPECT_EQ(list.path(), "/");
  EXPECT_EQ(list.way().size(), 1U);
}

TEST(FolderList, OpensTheNearestFolderThatIsThere) {
  const test::Folder folder;
  fill(folder);
  shell::FolderList list(folder / "shots/gone/for/good");
  EXPECT_EQ(list.path(), folder / "shots");
  EXPECT_NE(list.problem().find("gone"), std::string::npos) << list.problem();
  list.open(folder / "notes.txt");
  EXPECT_EQ(list.path(), folder.path());
  EXPECT_NE(list.problem(), "");
  list.open(folder.path().string());
  EXPECT_EQ(list.problem(), "");
}

TEST(FolderList, ANewFileGetsANameThatIsFree) {
  const test::Folder folder;
  EXPECT_EQ(shell::newFileName(folder / "a", ".csv"), folder / "a.csv");
  std::ofstream(folder / "a.csv") << "x";
  EXPECT_EQ(shell::newFileName(folder / "a", ".csv"), folder / "a 2.csv");
  std::ofstream(folder / "a 2.csv") << "x";
  EXPECT_EQ(shell::newFileName(folder / "a.csv", ".csv"), folder / "a 3.csv");
  EXPECT_EQ(shell::newFileName(folder / "b.trackpy.csv", ".trackpy.csv"), folder / "b.trackpy.csv");
  EXPECT_EQ(shell::newFileName(folder / "c.tsv", ".csv"), folder / "c.tsv");
}

TEST(FolderList, UsualFoldersAreThere) {
  const auto folders = shell::usualFolders();
  ASSERT_FALSE(folders.empty());
  EXPECT_EQ(folders.back().second, "/");
  for (const auto& [name, path] : folders) EXPECT_TRUE(std::filesystem::is_directory(path)) << path;
}

}  // namespace
}  // namespace glint
