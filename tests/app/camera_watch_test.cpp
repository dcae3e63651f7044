// Tests the list of connected cameras, which is kept up to date while somebody asks for it.
#include "app/capture/cameras/camera_watch.h"

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/capture/cameras/file_holders.h"

namespace glint {
namespace {

// The cameras that the fake kind of source lists, and how often it was asked for the list and for a
// camera's modes.
std::mutex madeMutex;
std::vector<capture::CameraInfo> made;
std::atomic<int> listings = 0, inspections = 0;
std::atomic<bool> offersNothing = false;

capture::CameraInfo cameraOf(const std::string& source) {
  capture::CameraInfo info;
  info.source = source;
  info.name = "the camera " + source;
  return info;
}

void setMade(std::vector<capture::CameraInfo> cameras) {
  const std::lock_guard lock(madeMutex);
  made = std::move(cameras);
}

const capture::SourceKind kMade{
    .sort = capture::SourceKind::Sort::camera,
    .help = "",
    .accepts = [](const std::string&) { return true; },
    .open = nullptr,
    .lister = []() -> capture::CameraLister {
      return [] {
        ++listings;
        const std::lock_guard lock(madeMutex);
        return made;
      };
    },
    .inspect =
        [](capture::CameraInfo& camera) {
          ++inspections;
          if (offersNothing) return;
          camera.modes = {{.format = "GREY", .width = 64, .height = 48, .rates = {}}};
        }};
const std::array<const capture::SourceKind*, 1> kKinds{&kMade};

void waitUntil(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

class CameraWatchTest : public testing::Test {
 protected:
  void SetUp() override {
    setMade({cameraOf("a")});
    listings = inspections = 0;
    offersNothing = false;
  }
  std::atomic<int> changes = 0;
  capture::CameraWatch watch{[this] { ++changes; }, kKinds};
};

TEST_F(CameraWatchTest, ListsNothingUntilItIsAsked) {
  EXPECT_FALSE(watch.cameras()->complete);
  EXPECT_EQ(listings, 0);
}

TEST_F(CameraWatchTest, TellsWhatIsThereAndWhatIsPluggedIn) {
  watch.watch(true);
  waitUntil([&] { return watch.cameras()->complete; });
  ASSERT_EQ(watch.cameras()->all.size(), 1U);
  EXPECT_TRUE(watch.cameras()->plugged.empty());
  const int before = changes;
  setMade({cameraOf("a"), cameraOf("b")});
  waitUntil([&] { return watch.cameras()->all.size() == 2; });
  EXPECT_EQ(watch.cameras()->plugged, std::set<std::string>{"b"});
  EXPECT_EQ(changes, before + 1);
  setMade({cameraOf("b")});
  waitUntil([&] { return watch.cameras()->all.size() == 1; });
  setMade({cameraOf("a"), cameraOf("b")});  // Camera "a" is back.
  waitUntil([&] { return watch.cameras()->plugged.contains("a"); });
}

TEST_F(CameraWatchTest, LooksAtACameraOnce) {
  watch.watch(true);
  watch.inspect("a");
  waitUntil(
      [&] { return watch.cameras()->all.size() == 1 && !watch.cameras()->all[0].modes.empty(); });
  watch.inspect("a");
  const int seen = listings;
  waitUntil([&] { return listings > seen; });
  EXPECT_EQ(inspections, 1);
}

TEST_F(CameraWatchTest, TellsThatACameraWithoutFormatsHasAnswered) {
  offersNothing = true;
  watch.watch(true);
  waitUntil([&] { return watch.cameras()->complete; });
  EXPECT_TRUE(watch.cameras()->opened.empty());
  watch.inspect("a");
  waitUntil([&] { return watch.cameras()->opened.contains("a"); });
  EXPECT_TRUE(watch.cameras()->all.at(0).modes.empty());
  EXPECT_EQ(inspections, 1);
}

TEST_F(CameraWatchTest, DoesNotLookAtWhatSomebodyUses) {
  capture::CameraInfo held = cameraOf("a");
  held.holder = "somebody";
  setMade({held});
  watch.watch(true);
  watch.inspect("a");
  const int seen = listings;
  waitUntil([&] { return listings > seen + 1; });
  EXPECT_EQ(inspections, 0);
}

TEST_F(CameraWatchTest, RestsWhenNobodyWatches) {
  watch.watch(true);
  waitUntil([&] { return watch.cameras()->complete; });
  watch.watch(false);
  // A listing may have begun before.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const int seen = listings;
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_EQ(listings, seen);
  watch.watch(true);
  waitUntil([&] { return listings > seen; });
}

TEST(FileHolders, NamesWhoHasAFileOpen) {
  const std::string file = testing::TempDir() + "held_by_somebody";
  std::ofstream(file) << "x";
  const std::string path = std::filesystem::canonical(file);
  EXPECT_TRUE(capture::holdersOf({path}).empty());
  int started[2], ends[2];
  ASSERT_EQ(::pipe(started), 0);
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t other = ::fork();
  if (other == 0) {
    std::ifstream held(path);
    char byte = 0;
    if (::write(started[1], &byte, 1) != 1) ::_exit(1);
    ::close(ends[1]);
    if (::read(ends[0], &byte, 1) < 0) ::_exit(1);
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(started[0], &byte, 1), 1);
  const auto holders = capture::holdersOf({path, "/nowhere"});
  ::close(ends[0]);
  ::close(ends[1]);
  ::waitpid(other, nullptr, 0);
  ASSERT_EQ(holders.size(), 1U);
  EXPECT_NE(holders.at(path).find("(process " + std::to_string(other) + ")"), std::string::npos);
  {
    std::ifstream own(path);
    EXPECT_EQ(capture::holdersOf({path}).at(path), capture::kThisProgram);
  }
  EXPECT_TRUE(capture::holdersOf({path}).empty());
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace glint
