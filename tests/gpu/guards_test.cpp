// Guard words beside buffers: a write into them is reported, once, and by name.
#include <array>
#include <optional>

#include <gtest/gtest.h>

#include "spirv/invert.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

/// Buffers of a device of its own, whose guards are hit on purpose.
class GuardWords : public testing::Test {
 protected:
  void run(const std::function<void(gpu::Recorder&)>& record) const {
    gpu::Recorder recorder(device_);
    recorder.begin();
    record(recorder);
    recorder.submit();
    recorder.wait();
  }

  std::vector<std::string> reported_;
  const gpu::Device device_{
      {.name = std::to_string(test::device().info().index),
       .cacheFolder = "",
       .wroteBeside = [this](const auto& what) { reported_.push_back(what); }}};
  std::optional<gpu::Buffer> from_{std::in_place, device_, 4096, gpu::MemoryUse::device, "from"};
  std::optional<gpu::Buffer> to_{std::in_place, device_, 4096, gpu::MemoryUse::device, "to"};
};

TEST_F(GuardWords, NothingIsToldOfWhatStaysWithin) {
  run([&](gpu::Recorder& r) {
    r.clear(*from_);
    r.copy(*from_, *to_, 4096);
  });
  from_.reset();
  to_.reset();
  EXPECT_EQ(reported_, std::vector<std::string>{});
}

TEST_F(GuardWords, ACopyBehindABufferIsToldOnce) {
  run([&](gpu::Recorder& r) {
    r.clear(*from_);
    r.copyParts(*from_, *to_, std::array{gpu::Recorder::Part{0, 4096 + 32, 16}});
  });
  ASSERT_EQ(reported_.size(), 1U);
  EXPECT_EQ(reported_[0],
            "something was written behind the buffer 'to', first at byte 32 of the 1024 there");
  to_.reset();
  EXPECT_EQ(reported_.size(), 1U);
}

/// The plane has one row more than there is room for.
TEST_F(GuardWords, AKernelThatWritesBehindABufferIsTold) {
  const gpu::Kernel invert(device_, "invert", invert_spirv, {{8U}});
  run([&](gpu::Recorder& r) {
    r.clear(*from_);
    r.run(invert, {&*from_, &*to_}, shared::InvertParams{{64, 65, 16, 16 * 65}}, {4, 65, 1});
  });
  ASSERT_EQ(reported_.size(), 1U);
  EXPECT_NE(reported_[0].find("behind the buffer 'to', first at byte 0 "), std::string::npos);
}

/// If passes run one by one, the pass is named.
TEST_F(GuardWords, ThePassThatWritesBesideIsNamed) {
  std::vector<std::string> reports;
  const gpu::Device device({.name = std::to_string(test::device().info().index),
                            .cacheFolder = "",
                            .wroteBeside = [&](const auto& what) { reports.push_back(what); },
                            .guardsEveryPass = true});
  const gpu::Buffer from(device, 4096, gpu::MemoryUse::device, "from"),
      to(device, 4096, gpu::MemoryUse::device, "to");
  const gpu::Kernel invert(device, "invert", invert_spirv, {{8U}});
  gpu::Recorder recorder(device);
  recorder.begin();
  recorder.clear(from);
  recorder.run(invert, {&from, &to}, shared::InvertParams{{64, 65, 16, 16 * 65}}, {4, 65, 1});
  recorder.copy(from, to, 4096);
  recorder.submit();
  ASSERT_EQ(reports.size(), 1U) << "before all of it has run";
  EXPECT_NE(reports[0].find(", by the pass 'invert'"), std::string::npos) << reports[0];
  recorder.wait();
  EXPECT_EQ(reports.size(), 1U);
}

/// The host writes before a mapped buffer, and no submission follows.
TEST_F(GuardWords, TheHostIsToldWhenTheBufferGoes) {
  std::optional<gpu::Buffer> mapped(std::in_place, device_, 64, gpu::MemoryUse::upload, "mapped");
  *(mapped->mapped().data() - 1) = std::byte{1};
  EXPECT_TRUE(reported_.empty());
  mapped.reset();
  ASSERT_EQ(reported_.size(), 1U);
  EXPECT_NE(reported_[0].find("before the buffer 'mapped', first at byte 1023 "),
            std::string::npos);
}

/// Buffers that are replaced, as those of blobs that grow, are checked before their memory is
/// freed.
TEST_F(GuardWords, AReplacedBufferIsLookedAt) {
  gpu::Buffer mapped(device_, 64, gpu::MemoryUse::upload, "first");
  *(mapped.mapped().data() + 64) = std::byte{1};
  mapped = gpu::Buffer(device_, 64, gpu::MemoryUse::upload, "second");
  ASSERT_EQ(reported_.size(), 1U);
  EXPECT_NE(reported_[0].find("'first'"), std::string::npos);
}

/// All tests that share the rig's device run with guards around every buffer.
TEST(Guards, AreOnInTests) {
  EXPECT_NE(test::device().guards(), nullptr);
  EXPECT_EQ(gpu::Device({.name = std::to_string(test::device().info().index)}).guards(), nullptr)
      << "programs have none";
}

}  // namespace
}  // namespace glint
