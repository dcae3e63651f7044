// Tests project files: what is written is read again, and paths follow the folder.
#include "app/shell/desk/project.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "app/shell/desk/settings_history.h"
#include "config/error.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

namespace fs = std::filesystem;

shell::Project sampleIn(const fs::path& folder) {
  shell::Project project;
  project.sources = {Address((folder / "films/a.mkv").string()), Address("/elsewhere/b.mkv?fps=60"),
                     Address("synth:dancer?frames=9"), Address("camera:0")};
  project.settings.detect.separation = 7;
  project.settings.filters = {filters::parseUse("blur=gaussian", "test")};
  project.rig = (folder / "rig.toml").string();
  project.view.frame = 20;
  project.view.in = 3;
  project.view.bookmarks = {4, 20};
  project.view.looks.numbers["scale"] = 1.25;
  project.view.looks.switches["side"] = false;
  project.view.looks.texts["tab"] = "Tracks";
  return project;
}

TEST(Project, WhatIsWrittenIsReadAgain) {
  const test::Folder folder;
  const std::string file = (folder.path() / "work.glint").string();
  const shell::Project project = sampleIn(folder.path());
  shell::writeProject(project, file);
  const shell::Project read = shell::readProject(file);
  EXPECT_EQ(shownOf(read.sources), shownOf(project.sources));
  EXPECT_TRUE(shell::changedKeys(read.settings, project.settings).empty());
  EXPECT_EQ(read.rig, project.rig);
  EXPECT_EQ(read.bodies, "");
  EXPECT_EQ(read.edits, "");
  EXPECT_EQ(read.view.frame, 20U);
  EXPECT_EQ(read.view.in, 3U);
  EXPECT_EQ(read.view.out, std::nullopt);
  EXPECT_EQ(read.view.bookmarks, project.view.bookmarks);
  EXPECT_EQ(read.view.looks, project.view.looks);
}

TEST(Project, PathsInItsFolderFollowIt) {
  const test::Folder folder;
  fs::create_directory(folder.path() / "old");
  shell::writeProject(sampleIn(folder.path() / "old"), (folder.path() / "old/work.glint").string());
  fs::rename(folder.path() / "old", folder.path() / "new");
  const shell::Project read = shell::readProject((folder.path() / "new/work.glint").string());
  EXPECT_EQ(read.sources[0].shown(), (folder.path() / "new/films/a.mkv").string());
  EXPECT_EQ(read.sources[1].shown(), "/elsewhere/b.mkv?fps=60");
  EXPECT_EQ(read.rig, (folder.path() / "new/rig.toml").string());
}

TEST(Project, HoldsNoPassword) {
  const test::Folder folder;
  const std::string file = (folder.path() / "work.glint").string();
  shell::Project project;
  project.sources = {Address("rtsp://user:secret@camera/1")};
  shell::writeProject(project, file);
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_NE(text.find("rtsp://user:***@camera/1"), std::string::npos) << text;
  EXPECT_EQ(text.find("secret"), std::string::npos) << text;
}

TEST(Project, OnlyNamesWithAStemAreProjects) {
  EXPECT_TRUE(shell::isProject("a.glint"));
  EXPECT_TRUE(shell::isProject("folder/a.glint"));
  EXPECT_FALSE(shell::isProject(".glint"));
  EXPECT_FALSE(shell::isProject("a.glint.json"));
}

}  // namespace
}  // namespace glint
