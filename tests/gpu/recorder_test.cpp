// Passes that are requested again are done again without being recorded.
#include "gpu/recorder.h"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "config/error.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

using test::DeviceArray;

constexpr size_t kWords = 64;

void fill(const DeviceArray<uint32_t>& array, uint32_t from) {
  for (size_t i = 0; i < kWords; ++i) array.values()[i] = from + static_cast<uint32_t>(i);
}

void submitNow(gpu::Recorder& recorder) {
  recorder.submit();
  recorder.wait();
}

void copyNow(gpu::Recorder& recorder, const gpu::Buffer& from, const gpu::Buffer& to,
             size_t bytes) {
  recorder.begin();
  recorder.copy(from, to, bytes);
  submitNow(recorder);
}

TEST(Recorder, WhatIsAskedForAgainIsNotRecordedAgain) {
  const auto images = test::makeImages(test::patterns()[0], {40, 30, 1, 8}, 1);
  const test::DevicePlane in(images), out(images[0].format, 1);
  gpu::Recorder recorder(test::device(), gpu::Timing::none);
  for (uint32_t n = 0; n < 5; ++n) {
    auto changed = images;
    for (auto& value : changed[0].values) value = (value + n) & 255;
    const test::DevicePlane now(changed);
    std::memcpy(in.buffer.mapped().data(), now.buffer.mapped().data(), in.buffer.size());
    recorder.begin();
    recorder.clear(out.buffer);
    test::passes(8).invert(recorder, in.plane(), out.plane());
    submitNow(recorder);
    EXPECT_EQ(out.read()[0].values, reference::inverted(changed[0]).values);
  }
  EXPECT_EQ(recorder.recordings(), 1);
}

/// Adds 1 to every word.
void increase(const DeviceArray<uint32_t>& array) {
  for (uint32_t& word : array.values()) ++word;
}

TEST(Recorder, WorkOfTheHostRunsBetweenPasses) {
  const DeviceArray<uint32_t> a(kWords), b(kWords), c(kWords);
  gpu::Recorder recorder(test::device(), gpu::Timing::passes);
  for (uint32_t round = 0; round < 20; ++round) {
    fill(a, 100 * round);
    recorder.begin();
    recorder.runOnHost("first", [&] { increase(a); });
    recorder.copy(a.buffer, b.buffer, kWords * 4);
    recorder.runOnHost("second", [&] { increase(b); });
    recorder.runOnHost("third", [&] { increase(b); });
    recorder.copy(b.buffer, c.buffer, kWords * 4);
    if (round % 2 == 0) recorder.runOnHost("last", [&] { increase(c); });
    submitNow(recorder);
    const uint32_t want = 100 * round + (round % 2 == 0 ? 4 : 3);
    EXPECT_EQ(c.values().front(), want);
    EXPECT_EQ(c.values().back(), want + kWords - 1);
    if (recorder.times().empty()) continue;  // the device has no time stamps
    std::vector<std::string> names;
    for (const gpu::PassTime& time : recorder.times()) names.push_back(time.name);
    std::vector<std::string> order{"first", "copy", "second", "third", "copy"};
    if (round % 2 == 0) order.push_back("last");
    EXPECT_EQ(names, order);
  }
}

TEST(Recorder, WaitingThrowsWhatTheHostsWorkThrew) {
  const DeviceArray<uint32_t> a(kWords), b(kWords);
  gpu::Recorder recorder(test::device(), gpu::Timing::none);
  for (int round = 0; round < 3; ++round) {
    fill(a, 7);
    fill(b, 1);
    recorder.begin();
    recorder.runOnHost("fails", [] { throw Error("no room"); });
    recorder.copy(a.buffer, b.buffer, kWords * 4);
    recorder.submit();
    EXPECT_THROW(recorder.wait(), Error);
    EXPECT_EQ(b.values().front(), 1);  // the copy did not run
    recorder.wait();                   // the failure is reported only once
    copyNow(recorder, a.buffer, b.buffer, kWords * 4);
    EXPECT_EQ(b.values().front(), 7);
  }
}

TEST(Recorder, EndsWithItsHostsWork) {
  const DeviceArray<uint32_t> a(kWords);
  fill(a, 0);
  {
    gpu::Recorder recorder(test::device(), gpu::Timing::none);
    recorder.begin();
    recorder.runOnHost("work", [&] { increase(a); });
    recorder.submit();
  }
  EXPECT_EQ(a.values().front(), 1);
}

TEST(Recorder, OtherBuffersPartsAndOrdersAreRecorded) {
  const DeviceArray<uint32_t> from(kWords), other(kWords), to(kWords);
  gpu::Recorder recorder(test::device(), gpu::Timing::none);
  fill(from, 1000);
  fill(other, 2000);
  for (int round = 0; round < 3; ++round) {
    copyNow(recorder, from.buffer, to.buffer, 4 * kWords);
    EXPECT_EQ(to.values()[5], 1005);
    copyNow(recorder, other.buffer, to.buffer, 4 * kWords);
    EXPECT_EQ(to.values()[5], 2005);
    copyNow(recorder, from.buffer, to.buffer, 4);
    EXPECT_EQ(to.values()[0], 1000);
    EXPECT_EQ(to.values()[5], 2005);
    recorder.begin();
    recorder.copyParts(other.buffer, to.buffer, std::array{gpu::Recorder::Part{4, 0, 4}});
    submitNow(recorder);
    EXPECT_EQ(to.values()[0], 2001);
    recorder.begin();
    recorder.clear(to.buffer);
    recorder.copy(from.buffer, to.buffer, 4);
    submitNow(recorder);
    EXPECT_EQ(to.values()[0], 1000);
    EXPECT_EQ(to.values()[5], 0);
    recorder.begin();
    recorder.copy(from.buffer, to.buffer, 4);
    recorder.clear(to.buffer);
    submitNow(recorder);
    EXPECT_EQ(to.values()[0], 0);
  }
  EXPECT_EQ(recorder.recordings(), 6);
}

/// Drivers give the handles of destroyed buffers to later ones.
TEST(Recorder, ABufferInAnothersPlaceIsAnother) {
  const DeviceArray<uint32_t> from(kWords);
  gpu::Recorder recorder(test::device(), gpu::Timing::none);
  for (uint32_t n = 0; n < 40; ++n) {
    const DeviceArray<uint32_t> to(kWords);
    fill(from, n);
    copyNow(recorder, from.buffer, to.buffer, 4 * kWords);
    for (uint32_t i = 0; i < kWords; ++i) ASSERT_EQ(to.values()[i], n + i) << n;
  }
  EXPECT_EQ(recorder.recordings(), 40);
}

TEST(Recorder, ManyThatTakeTurnsAreRightToo) {
  std::vector<DeviceArray<uint32_t>> all;
  for (uint32_t n = 0; n < 23; ++n) {
    all.emplace_back(kWords);
    fill(all.back(), 100 * n);
  }
  const DeviceArray<uint32_t> to(kWords);
  gpu::Recorder recorder(test::device(), gpu::Timing::none);
  for (uint32_t i = 0; i < 3 * all.size(); ++i) {
    const uint32_t n = i * 7 % 23;
    copyNow(recorder, all[n].buffer, to.buffer, 4 * kWords);
    EXPECT_EQ(to.values()[3], 100 * n + 3);
  }
}

TEST(Recorder, OfMorePassesThanAreKept) {
  const DeviceArray<uint32_t> a(kWords), b(kWords);
  gpu::Recorder recorder(test::device(), gpu::Timing::none);
  for (uint32_t n = 0; n < 3; ++n) {
    fill(a, n);
    recorder.begin();
    for (size_t i = 0; i < 100; ++i) {
      recorder.copyParts(a.buffer, b.buffer,
                         std::array{gpu::Recorder::Part{4 * (i % kWords), 4, 4}});
      recorder.copyParts(b.buffer, a.buffer, std::array{gpu::Recorder::Part{4, 0, 4}});
    }
    submitNow(recorder);
    EXPECT_EQ(a.values()[0], n + 99 % kWords);
  }
}

TEST(Recorder, TimesAreTakenWhereTheyAreAskedFor) {
  if (test::device().timestampBits() == 0) GTEST_SKIP() << "the device has no time stamps";
  const DeviceArray<uint32_t> from(kWords), to(kWords);
  gpu::Recorder recorder(test::device(), gpu::Timing::passes);
  for (int n = 0; n < 8; ++n) {
    recorder.setTimed(n % 3 == 0);
    recorder.begin();
    recorder.copy(from.buffer, to.buffer, 4, "first");
    if (n % 2 == 0) recorder.copy(to.buffer, from.buffer, 4, "second");
    submitNow(recorder);
    std::vector<std::string> names;
    for (const gpu::PassTime& time : recorder.times()) names.push_back(time.name);
    std::vector<std::string> want;
    if (n % 3 == 0) want.push_back("first");
    if (n % 6 == 0) want.push_back("second");
    EXPECT_EQ(names, want) << n;
  }
}

/// The time stamps are reset, two more than there are passes.
TEST(Recorder, TheMostPassesAreTimedToo) {
  if (test::device().timestampBits() == 0) GTEST_SKIP() << "the device has no time stamps";
  const DeviceArray<uint32_t> from(kWords), to(kWords);
  fill(from, 7);
  for (const gpu::Timing timing : {gpu::Timing::passes, gpu::Timing::whole}) {
    gpu::Recorder recorder(test::device(), timing);
    recorder.begin();
    for (size_t i = 0; i < 1024; ++i)
      recorder.copyParts(from.buffer, to.buffer,
                         std::array{gpu::Recorder::Part{4 * (i % kWords), 4 * (i % kWords), 4}},
                         gpu::kUpload);
    EXPECT_THROW(recorder.clear(to.buffer), Error);
    submitNow(recorder);
    EXPECT_EQ(recorder.times().size(), timing == gpu::Timing::passes ? 1024 : 1025);
    EXPECT_EQ(to.values()[kWords - 1], 7 + kWords - 1);
  }
}

}  // namespace
}  // namespace glint
