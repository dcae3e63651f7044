// Programs that live on by themselves.
#include "app/desk/detached.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <gtest/gtest.h>

#include "config/error.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

TEST(Detached, TheProgramRunsWithItsArguments) {
  const test::Folder folder;
  startDetached("/bin/sh", {"-c", "printf '%s|' \"$@\" > \"$0.part\" && mv \"$0.part\" \"$0\"",
                            folder / "out", "a b", "", "\xc3\xa9"});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (!std::filesystem::exists(folder / "out") && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  std::ifstream file(folder / "out");
  EXPECT_EQ(std::string(std::istreambuf_iterator(file), {}), "a b||\xc3\xa9|");
}

TEST(Detached, WhatCannotBeStartedIsTold) {
  try {
    startDetached("/nowhere/program", {});
    ADD_FAILURE() << "it was started";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/program"), std::string::npos);
  }
}

TEST(Detached, KnowsItsOwnProgram) {
  EXPECT_EQ(std::filesystem::path(ownProgram()).filename(), "test_desk");
}

}  // namespace
}  // namespace glint
