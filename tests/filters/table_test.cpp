// Compares every filter, with several parameters, with its reference on the CPU, over patterns,
// sizes, layers, depths and channels.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "config/filter_catalog.h"
#include "gpu/filters/planner.h"
#include "tests/filters/filter_rig.h"
#include "tests/filters/references.h"

namespace glint {
namespace {

using reference::Image;
using test::ChainRig;

struct Row {
  const char* use;       ///< The use, as in the option --filter.
  uint32_t allowed = 0;  ///< The number of counts by which a value may differ.
  /// The share of values that may differ by more, because the definition has a jump there.
  double mayDiffer = 0;
};

// The rows have neutral values, both ends of ranges, and something between. A new filter needs one
// row or a few.
const Row kRows[] = {
    {"adaptive_threshold"},
    {"adaptive_threshold:radius=63:offset=-1"},
    {"adaptive_threshold:radius=1:offset=1"},
    {"average"},
    {"average_threshold"},
    {"average_threshold:factor=0"},
    {"average_threshold:factor=1.3"},
    {"background"},
    {"background:rate=0.37:form=difference:hold=0.4"},
    {"background:rate=1:form=mask:limit=0"},
    {"bilateral:sigma_space=1"},
    {"bilateral:sigma_space=21:sigma_range=1:radius=6"},
    {"bilateral:sigma_space=0.1:sigma_range=0.001"},
    {"bilateral9", 1},
    {"bilateral9:spacing=1:factor=1", 1},
    {"bilateral9:spacing=16:factor=0", 1},
    {"blend:mode=add:over=file:second"},
    {"blend:mode=alpha:opacity=0.3:over=file:second", 1},
    {"blend:mode=burn:over=file:second"},
    {"blend:mode=burn:opacity=0.6:over=file:second", 1},
    {"blend:mode=dodge:over=file:second"},
    {"blend:mode=dissolve:opacity=0.6:over=file:second", 1},
    {"blend:mode=color:over=file:second", 1},
    {"blend:mode=hue:over=file:second", 1},
    {"blend:mode=saturation:over=file:second", 1},
    {"blend:mode=luminosity:over=file:second", 1},
    {"blend:mode=multiply:over=file:second"},
    {"blend:mode=screen:over=file:second"},
    {"blend:mode=hard_light:over=file:second", 1},
    {"blend:mode=overlay:over=file:second", 1},
    {"blend:mode=soft_light:over=file:second", 1},
    {"blend:mode=darken:over=file:second"},
    {"blend:mode=lighten:over=file:second"},
    {"blend:mode=difference:over=file:second"},
    {"blend:mode=exclusion:over=file:second", 1},
    {"blend:mode=subtract:over=file:second"},
    {"blend:mode=divide:over=file:second", 1},
    {"blend:mode=linear_burn:over=file:second", 1},
    {"blend:mode=multiply:opacity=0:over=file:second"},
    {"box:radius=0"},
    {"box"},
    {"box:radius=63"},
    {"brightness"},
    {"brightness:amount=-1"},
    {"brightness:amount=0.237"},
    {"bulge", 1, 0.02},
    {"bulge:scale=-1:radius=1:centre_x=0.2", 1, 0.02},
    {"bulge:scale=0", 1},
    {"canny"},
    {"canny:low=-3:high=400:aperture=5:norm=L2"},
    {"canny:sigma=1.5"},
    {"canny:low=200:high=30:aperture=7:norm=L2:sigma=1.5:shift=6"},
    {"canny:low=300:high=600:aperture=5:shift=0"},
    {"cga"},
    {"channel_levels"},
    {"channel_levels:channel=green:in_min=0.2:in_max=0.7:gamma=0.1:out_min=0.1:out_max=0.9"},
    {"channel_levels:channel=blue:gamma=10:out_min=1:out_max=0"},
    {"chroma_key", 1},
    {"chroma_key:red=1:green=0.2:threshold=0.2:smoothing=0.4:relative=true", 1},
    {"chroma_key:blue=1:green=0:form=keep:threshold=0.7:smoothing=0.3", 1},
    {"chroma_key_blend:over=file:second", 1},
    {"chroma_key_blend:red=1:green=0.2:threshold=0.1:smoothing=0.6:relative=true:over=file:second",
     1},
    {"circle:marks=file:few"},
    {"circle:marks=file:few:radius=0"},
    {"circle:marks=file:few:radius=4.5:red=0.7:blue=0.4"},
    {"color_matrix", 0},
    {"colour"},
    {"colour_fast", 1},
    {"colour_fast:radius=0", 1},
    {"colour_fast:radius=16:form=angle", 1, 0.02},
    {"color_matrix:matrix=0.2,0.3,0.5,0,-1,1,1,0.1,8,-8,0,-0.2:intensity=0.7", 1},
    {"contrast"},
    {"contrast:factor=0"},
    {"contrast:factor=4"},
    {"convolution3"},
    {"convolution3:kernel=0,-1,0,-1,5,-1,0,-1,0", 0},
    {"convolution3:kernel=0.1,0.2,0.1,-0.7,64,0.3,0.1,-63.5,0.1:offset=0.1", 1},
    {"crop"},
    {"crop:centre_x=1:size_x=0:size_y=0"},
    {"crop:centre_x=0.1:centre_y=0.9:size_x=0.37:size_y=1"},
    {"crosshair:marks=file:few"},
    {"crosshair:marks=file:few:size=63:red=1:green=0.2"},
    {"crosshatch", 0, 0.1},
    {"dark_flat:dark_frame=file:dark:flat_frame=file:second"},
    {"delay"},
    {"delay:frames=3"},
    {"demosaic"},
    {"demosaic:pattern=grbg"},
    {"demosaic:pattern=gbrg"},
    {"demosaic:pattern=bggr"},
    {"denoise_time"},
    {"denoise_time:rate=1:motion=1"},
    {"denoise_time:rate=0.9:motion=0.7"},
    {"dog"},
    {"dog:radius=0.5:gain=1"},
    {"dog:radius=16:gain=64"},
    {"fast"},
    {"fast:threshold=0:suppress=false"},
    {"gamma"},
    {"gamma:gamma=0"},
    {"gamma:gamma=2.2"},
    {"gaussian"},
    {"gaussian:sigma=0.1"},
    {"gaussian:sigma=20"},
    {"grey", 1},
    {"grey:weights=4,-4,1:offset=0.5", 1},
    {"hot_pixel:marked=file:few"},
    {"hot_pixel:marked=file:few:bayer=true"},
    {"invert"},
    {"lbp"},
    {"lbp:tolerance=-3"},
    {"levels"},
    {"levels:in_min=0.2:in_max=0.7:gamma=0.1:out_min=0.1:out_max=0.9"},
    {"levels:gamma=10:out_min=1:out_max=0"},
    {"local_contrast", 1},
    {"local_contrast:radius=1", 1},
    {"log"},
    {"log:sigma=0.5:gain=64"},
    {"lookup:table=file:cube", 1},
    {"lookup:table=file:cube:interpolation=tetrahedral:intensity=0.6", 1},
    {"lookup:table=file:curves", 1},
    {"lookup:table=file:image", 1},
    {"lookup:table=file:image:order=hald:interpolation=tetrahedral", 1},
    {"lookup:table=file:cube:intensity=0"},
    {"median"},
    {"median:radius=2"},
    {"median:radius=3"},
    {"median:radius=5"},
    {"median:radius=7"},
    {"morphology"},
    {"morphology:op=dilate:shape=rect:size=32"},
    {"morphology:op=erode:shape=ellipse:size=32"},
    {"morphology:op=open:shape=cross:size=7"},
    {"morphology:op=close:shape=rect:size=4"},
    {"morphology:op=close:shape=ellipse:size=5"},
    {"morphology:op=gradient:shape=rect:size=5"},
    {"morphology:op=gradient:shape=ellipse:size=6"},
    {"morphology:op=tophat:shape=ellipse:size=31"},
    {"morphology:op=tophat:shape=rect:size=9"},
    {"morphology:op=blackhat:shape=ellipse:size=11"},
    {"morphology:op=blackhat:shape=rect:size=1"},
    {"template:look=file:look", 1},
    {"template:look=file:look:method=sqdiff", 1},
    {"template:look=file:look:part=1,1,6,4:angle_from=-30:angle_to=40:angle_step=35:scale_from=0.5:"
     "scale_to=1.4:scale_step=0.45",
     1},
    {"template:look=file:look:part=0,1,4,3:angle_to=90:angle_step=45:form=angle", 1, 0.01},
    {"threshold"},
    {"threshold:level=0.4:form=inverse"},
    {"threshold:level=0:form=truncate"},
    {"threshold:level=1:form=to_zero"},
    {"undistort"},
    {"undistort:fx=30:fy=35:cx=15:cy=8.5:k1=-0.3:k2=0.1:k3=0.02:p1=0.03:p2=-0.02"},
};

struct Shape {
  uint32_t width, height, layers;
};
const Shape kShapes[] = {{1, 1, 1}, {1, 9, 2}, {17, 1, 1}, {37, 23, 3}};
constexpr std::array<size_t, 2> kPatterns{0, 7};  // The patterns are noise and blobs.
constexpr size_t kFrames = 5;                     // The number of frames for filters that remember.

/// Returns the table of a name. "cube" has 5 entries a side and a range of its own, "curves" has 17
/// entries, and "image" has 512x512.
gpu::ColourTable tableNamed(const std::string& name) {
  const auto word = [](double v) { return std::bit_cast<uint32_t>(static_cast<float>(v)); };
  const bool image = name == "image", cube = name == "cube";
  gpu::ColourTable table{image ? 64U : cube ? 5U : 17U, image ? 0U : cube ? 3U : 1U};
  for (int c = 0; c < 3; ++c) table.push_back(word(cube ? 0.1 * c : 0));
  for (int c = 0; c < 3; ++c) table.push_back(word(cube ? 0.8 - 0.1 * c : 1));
  const uint32_t entries = image ? 512 * 512 : cube ? 125 : 17;
  for (uint32_t i = 0; i < 3 * entries; ++i)
    table.push_back(word(double(i * 2654435761U >> 8) / (1 << 24) * 1.2 - 0.1));
  return table;
}

/// Returns the images `files`, together with the tables of colours and the templates that the use
/// needs.
gpu::FilterImages withTables(const gpu::FilterImages& files, const FilterUse& use,
                             const gpu::FrameFormat& format) {
  auto all = *files;
  for (const auto& input : filters::catalog().get(use.name, "test").head.inputs) {
    if (input.form == filters::Input::Form::plane) continue;
    const std::string name = use.inputs.at(input.name).real().substr(5);
    const bool colours = input.form == filters::Input::Form::colours;
    all[gpu::imageKey(input.form, Address(name))].resize(
        format.layers, colours
                           ? gpu::FilterImage{.format = {}, .values = {}, .table = tableNamed(name)}
                           : test::lookFor(format.image.bits));
  }
  return std::make_shared<const std::map<std::string, std::vector<gpu::FilterImage>>>(
      std::move(all));
}

std::map<std::string, filters::Input::Form> formsOf(const FilterUse& use) {
  std::map<std::string, filters::Input::Form> forms;
  for (const auto& input : filters::catalog().get(use.name, "test").head.inputs)
    forms[input.name] = input.form;
  return forms;
}

/// Compares one row with its reference. `tiles` says if passes with tiles run; without a value the
/// device decides.
void checkRow(const Row& row, const gpu::ImageFormat& format, uint32_t layers,
              std::optional<bool> tiles = {}) {
  const FilterUse use = filters::parseUse(row.use, "test");
  const auto& head = filters::catalog().get(use.name, "test").head;
  if (format.channels == 1 ? !head.grey : !head.colour) return;
  // The code for single channels is the same at both depths.
  if (format.channels == 3 && format.bits == 16 && head.grey) return;
  const auto files = withTables(test::filesFor(format, layers), use, {format, layers});
  const size_t frames = head.memory ? kFrames : 1;
  for (const size_t first : kPatterns) {
    SCOPED_TRACE(test::patterns()[first].name);
    ChainRig rig({format, layers}, {use}, files, "", true, tiles);
    std::vector<reference::FilterInput> inputs(layers);
    for (size_t n = 0; n < frames; ++n) {
      const auto images = test::makeImages(test::patterns()[(first + n) % 8], format, layers);
      const auto got = rig.run(images, n);
      for (uint32_t l = 0; l < layers; ++l) {
        inputs[l].frames.push_back(images[l]);
        for (const auto& [input, form] : formsOf(use)) {
          const gpu::FilterImage& file =
              files->at(gpu::imageKey(form, Address(use.inputs.at(input).real().substr(5))))[l];
          inputs[l].further[input] = {file.format, file.values};
          inputs[l].tables[input] = file.table;
        }
        const auto want =
            reference::filterReferences().at(use.name)(inputs[l], reference::FilterParameters(use));
        test::expectAlike(got[l], want, row.allowed, row.mayDiffer);
      }
    }
  }
}

class Filters : public testing::TestWithParam<std::tuple<Row, uint32_t, uint32_t>> {};

TEST_P(Filters, EqualTheirReference) {
  const auto& [row, bits, channels] = GetParam();
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(std::to_string(shape.width) + "x" + std::to_string(shape.height));
    checkRow(row, {shape.width, shape.height, channels, bits}, shape.layers);
  }
}

std::string nameOf(const testing::TestParamInfo<std::tuple<Row, uint32_t, uint32_t>>& info) {
  const auto& [row, bits, channels] = info.param;
  std::string name =
      std::string(row.use) + "_" + std::to_string(bits) + "_" + std::to_string(channels);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Filters,
                         testing::Combine(testing::ValuesIn(kRows), testing::Values(8U, 16U),
                                          testing::Values(1U, 3U)),
                         nameOf);

/// On a CPU, blocks far from the edges have kernels of their own.
TEST(FilterTable, IsRightFarFromEdgesToo) {
  for (const Row& row : kRows) {
    const auto& head = filters::catalog().get(filters::parseUse(row.use, "test").name, "test").head;
    if (std::none_of(head.passes.begin(), head.passes.end(),
                     [](const filters::Pass& pass) { return pass.blockWide > 0; }))
      continue;
    for (const auto& [bits, channels] :
         {std::pair(8U, 1U), std::pair(16U, 1U), std::pair(8U, 3U)}) {
      SCOPED_TRACE(std::string(row.use) + " " + std::to_string(bits) + " bits, " +
                   std::to_string(channels) + " channels");
      checkRow(row, {290, 11, channels, bits}, 1);
    }
  }
}

/// CPUs do not use passes with tiles by default. The sizes here are at the ends of their ranges,
/// and images have several tiles.
TEST(FilterTable, IsRightByTilesToo) {
  for (const char* use :
       {"gamma:gamma=2.2",
        "box:radius=0",
        "box",
        "box:radius=2",
        "box:radius=15",
        "bilateral:radius=5:sigma_space=3.3",
        "bilateral:radius=2:sigma_space=2:sigma_range=0.5",
        "gaussian:sigma=0.66",
        "gaussian:sigma=2.33",
        "gaussian:sigma=5.3",
        "canny",
        "canny:low=20:high=60:norm=L2",
        "median",
        "median:radius=2",
        "morphology:op=dilate:shape=rect:size=1",
        "morphology:op=dilate:shape=rect:size=3",
        "morphology:op=erode:shape=rect:size=7",
        "morphology:op=dilate:shape=rect:size=8",
        "morphology:op=open:shape=rect:size=2",
        "morphology:op=gradient:shape=rect:size=3",
        "morphology:op=gradient:shape=rect:size=5",
        "morphology:op=tophat:shape=rect:size=6",
        "morphology:op=blackhat:shape=rect:size=32",
        "template:look=file:look",
        "template:look=file:look:part=1,1,6,4:angle_from=-30:angle_to=40:angle_step=35"}) {
    SCOPED_TRACE(use);
    const Row row{use, std::string_view(use).starts_with("template") ? 1U : 0U};
    checkRow(row, {37, 23, 1, 8}, 2, true);
    checkRow(row, {267, 70, 1, 8}, 1, true);
  }
}

/// Windows of `box` reach beyond both sides of an image at once, or just beyond a tile.
TEST(FilterTable, BoxIsRightInNarrowImagesByTilesToo) {
  ASSERT_TRUE(gpu::runsTiles(test::device()));
  for (const char* use : {"box", "box:radius=2"}) {
    for (uint32_t width = 1; width <= 12; ++width) {
      SCOPED_TRACE(std::string(use) + ", width " + std::to_string(width));
      checkRow({use}, {width, 13 - width, 1, 8}, 1, true);
    }
    for (const uint32_t width : {127U, 129U, 133U}) checkRow({use}, {width, 33, 1, 8}, 1, true);
  }
}

TEST(FilterTable, HasEveryFilterAndItsReference) {
  for (const filters::Filter* filter : filters::catalog().all()) {
    const auto& name = filter->head.name;
    EXPECT_TRUE(reference::filterReferences().contains(name)) << name;
    EXPECT_TRUE(std::any_of(std::begin(kRows), std::end(kRows), [&](const Row& row) {
      return filters::parseUse(row.use, "test").name == name;
    })) << name;
  }
}

}  // namespace
}  // namespace glint
