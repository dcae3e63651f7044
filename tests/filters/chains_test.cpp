// Tests chains of filters: planes and numbers that later filters read, memory, crops, and what is
// refused.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/error.h"
#include "config/filter_catalog.h"
#include "gpu/filters/chain.h"
#include "gpu/filters/filter_run.h"
#include "tests/filters/filter_rig.h"
#include "tests/filters/references.h"

namespace glint {
namespace {

using reference::Image;
using test::ChainRig, test::chainOf;

Image referenceOf(const FilterUses& uses, const Image& image) {
  Image now = image;
  for (const FilterUse& use : uses) {
    if (now.format.channels == 3 && !filters::catalog().get(use.name, "test").head.colour)
      now = reference::luminance(now);
    now = reference::filterReferences().at(use.name)({{now}}, reference::FilterParameters(use));
  }
  return now;
}

/// The chain has point filters that are fused, planes whose memory is used again, and a change from
/// colour to grey.
TEST(FilterChains, AreTheirFiltersOneAfterTheOther) {
  for (const uint32_t channels : {1U, 3U}) {
    for (const uint32_t bits : {8U, 16U}) {
      const gpu::FrameFormat format{{61, 40, channels, bits}, 2};
      const auto images = test::makeImages(test::patterns()[7], format.image, 2);
      const auto uses =
          chainOf({"brightness:amount=0.1", "contrast:factor=1.5", "invert", "gaussian:sigma=1.5",
                   "median", "gamma:gamma=2", "m=morphology:op=close:size=5",
                   "brightness2=brightness:amount=-0.05", "fast:threshold=1", "box"});
      for (const char* keep : {"", "invert", "median", "m"}) {
        SCOPED_TRACE(keep);
        const auto end =
            std::find_if(uses.begin(), uses.end(), [&](const auto& use) { return use.id == keep; });
        const FilterUses part(uses.begin(), end == uses.end() ? end : end + 1);
        const auto got = ChainRig(format, uses, nullptr, keep).run(images, 0);
        for (size_t l = 0; l < 2; ++l)
          EXPECT_EQ(got[l].values, referenceOf(part, images[l]).values);
      }
    }
  }
}

/// Filters that do not need colour get the luminance, unless the chain is asked to keep the colour
/// everywhere.
TEST(FilterChains, KeepColourForThoseThatNeedIt) {
  const gpu::FrameFormat format{{61, 40, 3, 8}, 1};
  const auto images = test::makeImages(test::patterns()[7], format.image, 1);
  const auto run = [&](std::initializer_list<const char*> chain) {
    return ChainRig(format, chainOf(chain), nullptr, "", false).run(images, 0)[0];
  };
  EXPECT_EQ(run({"median", "box"}).values,
            referenceOf(chainOf({"median", "box"}), reference::luminance(images[0])).values);
  const auto mixed = run({"median", "color_matrix", "box"});
  EXPECT_EQ(mixed.format.channels, 1U);
  EXPECT_EQ(mixed.values,
            referenceOf(chainOf({"box"}), reference::luminance(referenceOf(
                                              chainOf({"median", "color_matrix"}), images[0])))
                .values);
}

TEST(FilterChains, ReadEarlierPlanesAndTheSource) {
  const gpu::FrameFormat format{{61, 40, 1, 8}, 1};
  const auto images = test::makeImages(test::patterns()[7], format.image, 1);
  const auto uses = chainOf({"wide=gaussian:sigma=4", "narrow=gaussian:sigma=1:input=source",
                             "blend:mode=subtract:over=wide"});
  const auto got = ChainRig(format, uses).run(images, 0);
  const Image wide = referenceOf({uses[0]}, images[0]), narrow = referenceOf({uses[1]}, images[0]);
  for (size_t i = 0; i < wide.values.size(); ++i)
    ASSERT_EQ(got[0].values[i], std::max(narrow.values[i] - wide.values[i], 0));
}

TEST(FilterChains, TakeOtherParametersWithoutBeingMadeAnew) {
  const gpu::FrameFormat format{{61, 40, 1, 8}, 1};
  const auto images = test::makeImages(test::patterns()[7], format.image, 1);
  ChainRig rig(format, chainOf({"gaussian:sigma=1", "contrast"}));
  for (const char* sigma : {"1", "20", "3.3"}) {
    filters::setFromText(rig.uses[0], "sigma", sigma, "test");
    filters::setFromText(rig.uses[1], "factor", sigma[0] == '1' ? "1.5" : "0.5", "test");
    EXPECT_EQ(rig.run(images, 0)[0].values, referenceOf(rig.uses, images[0]).values) << sigma;
  }
}

/// A filter uses the numbers of the frame before; the first frame uses its own. If a frame is
/// measured again, it uses the same numbers again.
TEST(FilterChains, NumbersAreOneFrameOld) {
  const gpu::FrameFormat format{{61, 40, 1, 8}, 2};
  ChainRig rig(format, chainOf({"light=average", "threshold:level=light.mean*1.5+0.01"}));
  std::vector<double> before(2, -1);
  for (const uint64_t n : {0U, 1U, 2U, 2U, 3U}) {
    static uint64_t last = 99;
    const auto images = test::makeImages(test::patterns()[n % 2 == 0 ? 7 : 0], format.image, 2);
    const auto got = rig.run(images, n);
    for (size_t l = 0; l < 2; ++l) {
      const double own = static_cast<double>(reference::statistics(images[l]).sum) / 61 / 40 / 255;
      static std::array<double, 2> used{};
      if (n != last) used[l] = n == 0 ? own : before[l];
      FilterUse use = rig.uses[1];
      use.driven.clear();
      use.values["level"] = {used[l] * 1.5 + 0.01};
      EXPECT_EQ(got[l].values, referenceOf({use}, images[l]).values) << "frame " << n;
      before[l] = own;
    }
    last = n;
  }
}

/// A frame that is measured again does not change what filters remember. After a jump they begin
/// from nothing.
TEST(FilterChains, RememberFramesThatFollow) {
  const gpu::FrameFormat format{{37, 23, 1, 16}, 1};
  const auto frame = [&](size_t n) {
    return test::makeImages(test::patterns()[n % 8], format.image, 1);
  };
  const auto uses = chainOf({"background:rate=0.3:form=difference"});
  ChainRig once(format, uses), twice(format, uses);
  for (size_t n = 0; n < 4; ++n) {
    const auto want = once.run(frame(n), n)[0].values;
    EXPECT_EQ(twice.run(frame(n), n)[0].values, want);
    EXPECT_EQ(twice.run(frame(n), n)[0].values, want);
  }
  EXPECT_EQ(once.run(frame(7), 100)[0].values, std::vector<uint16_t>(37 * 23, 0));
}

/// A filter can read the source's frame of two frames before. As long as there is none, it reads
/// the current frame.
TEST(FilterChains, ReadEarlierFrames) {
  for (const uint32_t channels : {1U, 3U}) {
    const gpu::FrameFormat format{{37, 23, channels, 8}, 2};
    const auto frame = [&](size_t n) {
      return test::makeImages(test::patterns()[n], format.image, 2);
    };
    ChainRig rig(format, chainOf({"invert", "blend:mode=difference:input=source:over=frame:-2",
                                  "again=blend:mode=lighten:over=frame:-2"}));
    for (size_t n = 0; n < 5; ++n) {
      const auto got = rig.run(frame(n), n), now = frame(n), then = frame(n < 2 ? n : n - 2);
      for (size_t l = 0; l < 2; ++l) {
        for (size_t i = 0; i < got[l].values.size(); ++i) {
          const int a = now[l].values[i], b = then[l].values[i];
          ASSERT_EQ(got[l].values[i], std::max(std::abs(a - b), b)) << n;
        }
      }
    }
  }
}

/// After a crop the chain goes on with a part of the image. Other planes that it reads are cropped
/// to the same part.
TEST(FilterChains, CropAndReadOtherPlanesThere) {
  for (const uint32_t channels : {1U, 3U}) {
    const gpu::FrameFormat format{{61, 40, channels, 8}, 2};
    const auto images = test::makeImages(test::patterns()[0], format.image, 2);
    ChainRig rig(format, chainOf({"crop:centre_x=0.3:size_x=0.5:size_y=0.7", "gaussian",
                                  "second=crop:centre_x=0.9:centre_y=0.1:size_x=0.6",
                                  "blend:mode=difference:over=source"}));
    const auto got = rig.run(images, 0);
    for (size_t l = 0; l < 2; ++l) {
      const Image part = referenceOf({rig.uses[0]}, images[l]);
      const Image soft = referenceOf({rig.uses[2]}, referenceOf({rig.uses[1]}, part));
      const Image sharp = referenceOf({rig.uses[2]}, part);
      ASSERT_EQ(got[l].format.width, soft.format.width);
      for (size_t i = 0; i < soft.values.size(); ++i)
        ASSERT_EQ(got[l].values[i], std::abs(soft.values[i] - sharp.values[i]));
    }
  }
}

/// The colour key is the colour of one pixel, which a crop and an average measure.
TEST(FilterChains, TakeAKeysColourFromAPixel) {
  const gpu::FrameFormat format{{37, 23, 3, 8}, 1};
  const auto images = test::makeImages(test::patterns()[0], format.image, 1);
  const auto uses = chainOf({"spot=crop:centre_x=0.4:centre_y=0.6:size_x=0:size_y=0", "key=average",
                             "chroma_key:input=source:red=key.red_mean:green=key.green_mean:blue="
                             "key.blue_mean:threshold=0.2"});
  const auto got = ChainRig(format, uses).run(images, 0)[0];
  // The pixel is at floor(0.6 * 23) and floor(0.4 * 37).
  const size_t pixel = (size_t{13} * 37 + 14) * 3;
  FilterUse key = uses[2];
  key.driven.clear();
  for (const auto& [name, c] : {std::pair("blue", 0U), {"green", 1U}, {"red", 2U}})
    key.values[name] = {images[0].values[pixel + c] / 255.0};
  test::expectAlike(got, referenceOf({key}, images[0]), 1);
}

/// Returns a frame without colour. The writer of the first `neutral` layers stated that, and wrote
/// only their grey values where possible.
gpu::FrameLease neutralFrame(gpu::FramePool& pool, const std::vector<Image>& greys,
                             uint32_t neutral) {
  const std::shared_ptr<gpu::FrameSlot> slot = pool.take();
  for (uint32_t l = 0; l < greys.size(); ++l) {
    const gpu::ImageView view = slot->room(l);
    const uint32_t width = view.format.width, channels = l < neutral && view.grey ? 1 : 3;
    for (uint32_t i = 0; i < view.format.pixels(); ++i) {
      std::byte* row = channels == 1 ? view.greyRow(i / width) : view.row(i / width);
      std::fill_n(row + size_t{i % width} * channels, channels,
                  static_cast<std::byte>(greys[l].values[i]));
    }
    slot->set(l, {.neutral = l < neutral});
  }
  return slot;
}

TEST(FilterChains, ReadTheColourOfFramesThatHaveNone) {
  const gpu::FrameFormat format{{67, 35, 3, 8}, 2};
  gpu::FramePool pool(test::device(), format, 1);
  const FilterUses uses = chainOf({"box"});
  gpu::FilterRun run(test::device(), format, uses, nullptr, {.plane = "", .colour = true});
  const auto greys = test::makeImages(test::patterns()[7], {67, 35, 1, 8}, 2);
  std::vector<std::string> made;
  for (const uint32_t neutral : {0U, 1U, 2U}) {
    run.run(*neutralFrame(pool, greys, neutral), uses);
    for (uint32_t l = 0; l < 2; ++l) {
      std::string& all = made.emplace_back();
      for (uint32_t y = 0; y < 35; ++y)
        all.append(reinterpret_cast<const char*>(run.pixels(l).row(y)), size_t{67} * 3);
    }
  }
  for (size_t i = 2; i < made.size(); ++i) EXPECT_EQ(made[i], made[i % 2]) << i;
}

/// Marks from a table belong to a frame and a camera. Marks outside the image are not drawn.
TEST(FilterChains, DrawMarksOfTheirFrames) {
  for (const uint32_t channels : {1U, 3U}) {
    const gpu::FrameFormat format{{37, 23, channels, 16}, 2};
    std::map<std::string, std::vector<gpu::FilterImage>> files;
    for (int64_t camera = 0; camera < 2; ++camera) {
      gpu::FilterImage image{.format = {}, .values = {}, .hasMarks = true};
      image.marks = {{1, 5 + camera, 7}, {1, 36, 22}, {1, 40, 3}, {1, -1, 3}, {3, 0, 0}};
      files["t.csv"].push_back(image);
    }
    ChainRig rig(format, chainOf({"crosshair:size=3:marks=file:t.csv:red=1:blue=1"}),
                 std::make_shared<const decltype(files)>(files));
    const auto images = test::makeImages(test::patterns()[0], format.image, 2);
    for (uint64_t n = 0; n < 4; ++n) {
      const auto got = rig.run(images, n);
      for (uint32_t l = 0; l < 2; ++l) {
        Image want = images[l];
        const auto draw = [&](uint32_t x, uint32_t y) {
          for (const auto& [i, j] : {std::pair{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
            const int64_t px = int64_t{x} + i, py = int64_t{y} + j;
            if (px < 0 || py < 0 || px > 36 || py > 22) continue;
            for (uint32_t c = 0; c < channels; ++c)
              want.values[static_cast<size_t>(py * 37 + px) * channels + c] = 65535;
          }
        };
        if (n == 1) draw(5 + l, 7), draw(36, 22);
        if (n == 3) draw(0, 0);
        EXPECT_EQ(got[l].values, want.values) << n;
      }
    }
  }
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(FilterChains, RefuseWhatTheyCannotTake) {
  const auto chain = [](std::initializer_list<const char*> uses, uint32_t channels = 1) {
    return refusal([&] {
      const auto all = chainOf(uses);
      filters::check(all, "--filter");
      const gpu::FrameFormat format{{20, 10, channels, 8}, 1};
      const gpu::ImageFormat other{21, 10, 1, 8};
      ChainRig rig(format, all, test::filesFor(other, 1));
    });
  };
  EXPECT_EQ(
      chain({"gausian"}),
      "test: there is no filter 'gausian'; did you mean 'gaussian'? (`glint filters` lists all)");
  EXPECT_EQ(chain({"gaussian:sigam=2"}),
            "test: the filter 'gaussian' has no 'sigam'; did you mean 'sigma'? (`glint filters "
            "gaussian` lists all)");
  EXPECT_EQ(chain({"gaussian:sigma=99"}),
            "test: 'sigma' of the filter 'gaussian' cannot be 99; allowed is 0.1 to 20 px");
  EXPECT_EQ(chain({"morphology:op=shrink"}),
            "test: 'op' of the filter 'morphology' cannot be shrink; allowed is dilate, erode, "
            "open, close, gradient, tophat, blackhat");
  EXPECT_EQ(chain({"median:radius=1.5"}),
            "test: 'radius' of the filter 'median' cannot be 1.5; allowed is 1 to 7 px");
  EXPECT_EQ(
      chain({"box", "box"}),
      "--filter: two filters have the id 'box'; give one of them another id, such as other=box");
  EXPECT_EQ(chain({"box:input=later", "later=median"}),
            "--filter: the filter 'box' reads 'later', which comes only after it");
  EXPECT_EQ(chain({"box:input=box"}),
            "--filter: the filter 'box' reads 'box', which comes only from itself");
  EXPECT_EQ(chain({"blend"}),
            "--filter: the filter 'blend' needs 'over' (source, frame:-1, an earlier id or "
            "file:NAME): The second image.");
  EXPECT_EQ(
      chain({"threshold:level=box.mean", "box"}),
      "--filter: the filter 'threshold' takes a number from 'box', which is not a filter that "
      "reports numbers, such as average");
  EXPECT_EQ(
      chain({"l=average", "threshold:level=l.median"}),
      "--filter: there is no number 'l.median'; there are sum, mean, min, max, variance, also "
      "with red_, green_ or blue_ before them");
  EXPECT_EQ(chain({"chroma_key"}), "the filter 'chroma_key' needs colour, but the frames are grey");
  EXPECT_EQ(chain({"grey", "chroma_key"}, 3),
            "the filter 'chroma_key' needs colour, but its input is grey");
  EXPECT_EQ(
      chain({"blend:over=frame:-17"}),
      "--filter: the filter 'blend' reads 'frame:-17', and no filter has that id; write source, "
      "frame:-1 (to -16), an earlier id or file:NAME");
  const auto sought = [](const char* part) {
    return refusal([&] {
      std::map<std::string, std::vector<gpu::FilterImage>> files;
      files["pattern:look"].push_back({{80, 20, 1, 8}, std::vector<uint16_t>(1600, 1)});
      ChainRig({{100, 50, 1, 8}, 1}, chainOf({part}),
               std::make_shared<const decltype(files)>(files));
    });
  };
  EXPECT_EQ(sought("template:look=file:look"),
            "the filter 'template': its pattern is 80x20 px; at most 64x64 are allowed (take a "
            "part of it with 'part')");
  EXPECT_EQ(sought("template:look=file:look:part=60,0,30,10"),
            "the filter 'template': its part reaches beyond the image, which is 80x20");
  EXPECT_EQ(sought("template:look=file:look:part=0,0,10,10:angle_to=360:angle_step=0.1"),
            "the filter 'template': more than 1024 angles and scales; use larger steps");
  EXPECT_EQ(chain({"lookup:table=source"}),
            "--filter: 'table' of the filter 'lookup' must be a file, file:NAME");
  EXPECT_EQ(chain({"blend:over=file:second"}),
            "the filter 'blend': the image 'second' is 21x10, but the frames are 20x10");
}

/// The chain would need 64 times 17 frames of 1 GiB. It must be refused before anything is
/// allocated.
TEST(FilterChains, RefuseMoreThanTheDeviceHas) {
  FilterUses uses;
  for (int i = 0; i < 64; ++i)
    uses.push_back(filters::parseUse(fmt::format("d{}=delay:frames=16", i), "test"));
  try {
    gpu::FilterChain(test::device(), test::passes(8), test::filterKernels(),
                     {{16384, 16384, 3, 8}, 1}, uses, nullptr);
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("the filters need ")) << message;
    EXPECT_TRUE(message.ends_with("; use fewer filters, smaller frames or fewer cameras"))
        << message;
  }
}

/// The folder holds filters of users; faulty ones are refused with a message.
TEST(FilterFolders, AreCompiledAndRefused) {
  const std::string folder = GLINT_FILTER_FOLDER;
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "this machine has no copy of " << folder;
  filters::catalog().addFolder(folder + "/good");
  const gpu::FrameFormat format{{20, 10, 1, 8}, 1};
  const auto images = test::makeImages(test::patterns()[0], format.image, 1);
  const auto got = ChainRig(format, chainOf({"my_stripes:period=3"})).run(images, 0);
  for (size_t i = 0; i < 200; ++i)
    EXPECT_EQ(got[0].values[i], i % 20 % 3 == 0 ? 255 - images[0].values[i] : images[0].values[i]);
  const auto wider = ChainRig(format, chainOf({"my_tiles"})).run(images, 0);
  for (size_t i = 0; i < 200; ++i)
    EXPECT_EQ(wider[0].values[i],
              std::max(images[0].values[i], images[0].values[i % 20 < 19 ? i + 1 : i]));
  const auto refusalOf = [&](const char* name) {
    return refusal([&] { filters::catalog().addFolder(folder + name); });
  };
  EXPECT_EQ(refusalOf("/bad_code"),
            folder + "/bad_code/wrong.comp, line 4: 'brightness' : undeclared identifier ");
  EXPECT_EQ(refusalOf("/bad_head"),
            folder + "/bad_head/wrong.comp, line 2: a filter's head has no line 'parameter'");
  EXPECT_EQ(refusalOf("/good"),
            "'" + folder + "/good/my_stripes.comp': a filter 'my_stripes' already exists");
  EXPECT_EQ(refusalOf("/none"), "cannot read the folder of filters '" + folder + "/none'");
}

}  // namespace
}  // namespace glint
