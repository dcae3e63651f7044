// One table: every filter at several parameters x its CPU reference x patterns x sizes x layers x
// depths x channels; then chains, and OpenCV.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "config/error.h"
#include "config/filters/catalog.h"
#include "gpu/filters/chain.h"
#include "tests/filters/references.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

using reference::Image;

struct Row {
  const char* use;       ///< as of --filter
  uint32_t allowed = 0;  ///< counts that a value may differ
  double mayDiffer =
      0;  ///< share of the values that may do so by more: at a jump of the definition
};

// Neutral values, both ends of ranges, and something between. A new filter is one row, or a few.
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
    {"median:radius=7"},
    {"morphology"},
    {"morphology:op=dilate:shape=rect:size=32"},
    {"morphology:op=erode:shape=ellipse:size=32"},
    {"morphology:op=open:shape=cross:size=7"},
    {"morphology:op=close:shape=rect:size=4"},
    {"morphology:op=close:shape=ellipse:size=5"},
    {"morphology:op=gradient:shape=rect:size=5"},
    {"morphology:op=gradient:shape=ellipse:size=6"},
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
constexpr std::array<size_t, 2> kPatterns{0, 7};  // noise, blobs
constexpr size_t kFrames = 5;                     // of filters that remember

FilterKernels& kernels() {
  static auto* const made = new FilterKernels(test::device());  // as long as the device
  return *made;
}

std::vector<Image> luminances(const std::vector<Image>& images) {
  if (images[0].format.channels == 1) return images;
  std::vector<Image> grey;
  for (const Image& image : images) grey.push_back(reference::luminance(image));
  return grey;
}

/// Runs a chain on frames of one format, one after the other.
class ChainRig {
 public:
  ChainRig(const FrameFormat& format, const FilterUses& chain, const FilterImages& images = nullptr,
           const std::string& keep = "", bool colour = true, std::optional<bool> tiles = {})
      : uses(chain),
        format_(format),
        slot_(std::move(makeSlots(test::device(), format, 1)[0])),
        chain_(test::device(), test::passes(format.image.bits), kernels(), format, chain, images,
               {keep, colour, tiles}) {}

  /// `sequence`: of the frame.
  std::vector<Image> run(const std::vector<Image>& images, uint64_t sequence) {
    for (uint32_t l = 0; l < format_.layers; ++l) slot_->set(l, {.sequence = sequence});
    const test::DevicePlane source(images), luminance(luminances(images));
    const ImageFormat kept = chain_.keptFormat();
    const test::DevicePlane out(kept, format_.layers);
    const size_t runs = chain_.runsFor(*slot_);
    for (size_t i = 0; i < runs; ++i) {
      test::runNow([&](Recorder& r) {
        const ChainPlanes planes =
            chain_.record(r, *slot_, uses, source.plane(), luminance.plane());
        r.copy(*planes.kept.buffer, out.buffer, out.buffer.size());
      });
      chain_.learn();
    }
    return out.read();
  }

  /// Of the last frame's first layer.
  std::optional<TemplateFit> fitAt(uint32_t x, uint32_t y) {
    return chain_.fitsAt({{{x, y}}})[0][0];
  }

  FilterUses uses;  ///< parameters may be changed

 private:
  FrameFormat format_;
  std::unique_ptr<FrameSlot> slot_;
  FilterChain chain_;
};

FilterImages filesFor(const ImageFormat& format, uint32_t layers) {
  const uint32_t full = format.fullScale();
  const auto pattern = [&](const char* name, auto value) {
    return std::pair(std::string(name), test::makeImages({name, value}, format, layers));
  };
  const auto mix = [](uint32_t x, uint32_t y, uint32_t l) {
    return (x * 7919 + y * 104729 + l * 31) * 2654435761U >> 8;
  };
  std::map<std::string, std::vector<FilterImage>> files;
  for (const auto& [name, images] :
       {pattern("second", [&](auto x, auto y, auto l,
                              auto&) { return std::min(mix(x, y, l) % (full + full / 4), full); }),
        pattern("dark",
                [&](auto x, auto y, auto l, auto&) { return mix(x + 9, y, l) % (full / 8); }),
        pattern("few", [&](auto x, auto y, auto l, auto&) {
          return mix(x, y + 3, l) % 5 == 0 ? 1U : 0U;
        })}) {
    for (const Image& image : images) files[name].push_back({image.format, image.values});
  }
  return std::make_shared<const std::map<std::string, std::vector<FilterImage>>>(std::move(files));
}

/// "cube": 5 entries a side from a range of its own; "curves": 17 entries; "image": 512x512.
ColourTable tableNamed(const std::string& name) {
  const auto word = [](double v) { return std::bit_cast<uint32_t>(static_cast<float>(v)); };
  const bool image = name == "image", cube = name == "cube";
  ColourTable table{image ? 64U : cube ? 5U : 17U, image ? 0U : cube ? 3U : 1U};
  for (int c = 0; c < 3; ++c) table.push_back(word(cube ? 0.1 * c : 0));
  for (int c = 0; c < 3; ++c) table.push_back(word(cube ? 0.8 - 0.1 * c : 1));
  const uint32_t entries = image ? 512 * 512 : cube ? 125 : 17;
  for (uint32_t i = 0; i < 3 * entries; ++i)
    table.push_back(word(double(i * 2654435761U >> 8) / (1 << 24) * 1.2 - 0.1));
  return table;
}

/// What is sought: 7x5 px.
FilterImage lookFor(uint32_t bits) {
  FilterImage look{{7, 5, 1, bits}, {}};
  for (uint32_t i = 0; i < 35; ++i)
    look.values.push_back(static_cast<uint16_t>((i + 3) * 2654435761U >> (32 - bits)));
  return look;
}

/// The tables of colours and the templates that a use wants, beside the images.
FilterImages withTables(const FilterImages& files, const FilterUse& use,
                        const FrameFormat& format) {
  auto all = *files;
  for (const auto& input : filters::catalog().get(use.name, "test").head.inputs) {
    if (input.form == filters::Input::Form::plane) continue;
    const std::string name = use.inputs.at(input.name).substr(5);
    const bool colours = input.form == filters::Input::Form::colours;
    all[imageKey(input.form, name)].resize(
        format.layers, colours ? FilterImage{.format = {}, .values = {}, .table = tableNamed(name)}
                               : lookFor(format.image.bits));
  }
  return std::make_shared<const std::map<std::string, std::vector<FilterImage>>>(std::move(all));
}

void expectAlike(const Image& got, const Image& want, const Row& row) {
  ASSERT_EQ(got.values.size(), want.values.size());
  size_t differ = 0, first = 0;
  for (size_t i = 0; i < got.values.size(); ++i) {
    if (std::abs(int{got.values[i]} - int{want.values[i]}) <= static_cast<int>(row.allowed))
      continue;
    if (differ++ == 0) first = i;
  }
  EXPECT_LE(static_cast<double>(differ), row.mayDiffer * static_cast<double>(got.values.size()))
      << "value " << first << " is " << got.values[first] << " for " << want.values[first];
}

std::map<std::string, filters::Input::Form> formsOf(const FilterUse& use) {
  std::map<std::string, filters::Input::Form> forms;
  for (const auto& input : filters::catalog().get(use.name, "test").head.inputs)
    forms[input.name] = input.form;
  return forms;
}

/// `tiles`: whether passes with tiles run; empty: as the device has it.
void checkRow(const Row& row, const ImageFormat& format, uint32_t layers,
              std::optional<bool> tiles = {}) {
  const FilterUse use = filters::parseUse(row.use, "test");
  const auto& head = filters::catalog().get(use.name, "test").head;
  if (format.channels == 1 ? !head.grey : !head.colour) return;
  // Channels apart are the same code at either depth.
  if (format.channels == 3 && format.bits == 16 && head.grey) return;
  const auto files = withTables(filesFor(format, layers), use, {format, layers});
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
          const FilterImage& file = files->at(imageKey(form, use.inputs.at(input).substr(5)))[l];
          inputs[l].further[input] = {file.format, file.values};
          inputs[l].tables[input] = file.table;
        }
        const auto want =
            reference::filterReferences().at(use.name)(inputs[l], reference::FilterParameters(use));
        expectAlike(got[l], want, row);
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

/// Blocks far from the edges have kernels of their own where the device is a CPU.
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

/// Passes with tiles, which CPUs do without: their sizes' ends, and images of several tiles.
TEST(FilterTable, IsRightByTilesToo) {
  for (const char* use :
       {"gamma:gamma=2.2",
        "box:radius=0",
        "box",
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

TEST(FilterTable, HasEveryFilterAndItsReference) {
  for (const filters::Filter* filter : filters::catalog().all()) {
    const auto& name = filter->head.name;
    EXPECT_TRUE(reference::filterReferences().contains(name)) << name;
    EXPECT_TRUE(std::any_of(std::begin(kRows), std::end(kRows), [&](const Row& row) {
      return filters::parseUse(row.use, "test").name == name;
    })) << name;
  }
}

FilterUses chainOf(std::initializer_list<const char*> uses) {
  FilterUses chain;
  for (const char* use : uses) chain.push_back(filters::parseUse(use, "test"));
  return chain;
}

Image referenceOf(const FilterUses& uses, const Image& image) {
  Image now = image;
  for (const FilterUse& use : uses) {
    if (now.format.channels == 3 && !filters::catalog().get(use.name, "test").head.colour)
      now = reference::luminance(now);
    now = reference::filterReferences().at(use.name)({{now}}, reference::FilterParameters(use));
  }
  return now;
}

/// Point filters that are fused, planes that are used again, colour that becomes grey on the way.
TEST(FilterChains, AreTheirFiltersOneAfterTheOther) {
  for (const uint32_t channels : {1U, 3U}) {
    for (const uint32_t bits : {8U, 16U}) {
      const FrameFormat format{{61, 40, channels, bits}, 2};
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

/// Without being asked to keep it everywhere, filters that do not need colour get the luminance.
TEST(FilterChains, KeepColourForThoseThatNeedIt) {
  const FrameFormat format{{61, 40, 3, 8}, 1};
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
  const FrameFormat format{{61, 40, 1, 8}, 1};
  const auto images = test::makeImages(test::patterns()[7], format.image, 1);
  const auto uses = chainOf({"wide=gaussian:sigma=4", "narrow=gaussian:sigma=1:input=source",
                             "blend:mode=subtract:over=wide"});
  const auto got = ChainRig(format, uses).run(images, 0);
  const Image wide = referenceOf({uses[0]}, images[0]), narrow = referenceOf({uses[1]}, images[0]);
  for (size_t i = 0; i < wide.values.size(); ++i)
    ASSERT_EQ(got[0].values[i], std::max(narrow.values[i] - wide.values[i], 0));
}

TEST(FilterChains, TakeOtherParametersWithoutBeingMadeAnew) {
  const FrameFormat format{{61, 40, 1, 8}, 1};
  const auto images = test::makeImages(test::patterns()[7], format.image, 1);
  ChainRig rig(format, chainOf({"gaussian:sigma=1", "contrast"}));
  for (const char* sigma : {"1", "20", "3.3"}) {
    filters::setFromText(rig.uses[0], "sigma", sigma, "test");
    filters::setFromText(rig.uses[1], "factor", sigma[0] == '1' ? "1.5" : "0.5", "test");
    EXPECT_EQ(rig.run(images, 0)[0].values, referenceOf(rig.uses, images[0]).values) << sigma;
  }
}

/// The number of frame n - 1, and of frame 0 its own; a frame that comes again uses the same.
TEST(FilterChains, NumbersAreOneFrameOld) {
  const FrameFormat format{{61, 40, 1, 8}, 2};
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

/// A frame that comes once more leaves what is remembered as it was; a jump lets it begin anew.
TEST(FilterChains, RememberFramesThatFollow) {
  const FrameFormat format{{37, 23, 1, 16}, 1};
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

/// The source's frame before; of the first frame it is that one.
TEST(FilterChains, ReadEarlierFrames) {
  for (const uint32_t channels : {1U, 3U}) {
    const FrameFormat format{{37, 23, channels, 8}, 2};
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

/// A part goes on alone; what else is read is seen there, too.
TEST(FilterChains, CropAndReadOtherPlanesThere) {
  for (const uint32_t channels : {1U, 3U}) {
    const FrameFormat format{{61, 40, channels, 8}, 2};
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

/// The colour that is keyed is that of a pixel.
TEST(FilterChains, TakeAKeysColourFromAPixel) {
  const FrameFormat format{{37, 23, 3, 8}, 1};
  const auto images = test::makeImages(test::patterns()[0], format.image, 1);
  const auto uses = chainOf({"spot=crop:centre_x=0.4:centre_y=0.6:size_x=0:size_y=0", "key=average",
                             "chroma_key:input=source:red=key.red_mean:green=key.green_mean:blue="
                             "key.blue_mean:threshold=0.2"});
  const auto got = ChainRig(format, uses).run(images, 0)[0];
  const size_t pixel = (size_t{13} * 37 + 14) * 3;  // floor(0.6 23), floor(0.4 37)
  FilterUse key = uses[2];
  key.driven.clear();
  for (const auto& [name, c] : {std::pair("blue", 0U), {"green", 1U}, {"red", 2U}})
    key.values[name] = {images[0].values[pixel + c] / 255.0};
  expectAlike(got, referenceOf({key}, images[0]), {"", 1});
}

/// Marks from a table are those of the frame and the camera; what is outside is not drawn.
TEST(FilterChains, DrawMarksOfTheirFrames) {
  for (const uint32_t channels : {1U, 3U}) {
    const FrameFormat format{{37, 23, channels, 16}, 2};
    std::map<std::string, std::vector<FilterImage>> files;
    for (int64_t camera = 0; camera < 2; ++camera) {
      FilterImage image{.format = {}, .values = {}, .hasMarks = true};
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
      const FrameFormat format{{20, 10, channels, 8}, 1};
      const ImageFormat other{21, 10, 1, 8};
      ChainRig rig(format, all, filesFor(other, 1));
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
  EXPECT_EQ(chain({"box", "box"}),
            "--filter: two filters have the id 'box'; give one another, as in other=box");
  EXPECT_EQ(chain({"box:input=later", "later=median"}),
            "--filter: the filter 'box' reads 'later', which comes only after it");
  EXPECT_EQ(chain({"box:input=box"}),
            "--filter: the filter 'box' reads 'box', which comes only from itself");
  EXPECT_EQ(chain({"blend"}),
            "--filter: the filter 'blend' needs 'over' (source, frame:-1, an earlier id or "
            "file:NAME): the "
            "second image");
  EXPECT_EQ(chain({"threshold:level=box.mean", "box"}),
            "--filter: the filter 'threshold' takes a number of 'box', which is no filter that "
            "tells numbers, such as average");
  EXPECT_EQ(
      chain({"l=average", "threshold:level=l.median"}),
      "--filter: there is no number 'l.median'; there are sum, mean, min, max, variance, also "
      "with red_, green_ or blue_ before them");
  EXPECT_EQ(chain({"chroma_key"}), "the filter 'chroma_key' needs colour, and the frames are grey");
  EXPECT_EQ(chain({"grey", "chroma_key"}, 3),
            "the filter 'chroma_key' needs colour, and what it reads is grey");
  EXPECT_EQ(
      chain({"blend:over=frame:-17"}),
      "--filter: the filter 'blend' reads 'frame:-17', and no filter has that id; write source, "
      "frame:-1 (to -16), an earlier id or file:NAME");
  const auto sought = [](const char* part) {
    return refusal([&] {
      std::map<std::string, std::vector<FilterImage>> files;
      files["pattern:look"].push_back({{80, 20, 1, 8}, std::vector<uint16_t>(1600, 1)});
      ChainRig({{100, 50, 1, 8}, 1}, chainOf({part}),
               std::make_shared<const decltype(files)>(files));
    });
  };
  EXPECT_EQ(
      sought("template:look=file:look"),
      "the filter 'template': what it seeks is 80x20 px; 64x64 at most (part takes some of it)");
  EXPECT_EQ(sought("template:look=file:look:part=60,0,30,10"),
            "the filter 'template': its part is not within the image, which is 80x20");
  EXPECT_EQ(sought("template:look=file:look:part=0,0,10,10:angle_to=360:angle_step=0.1"),
            "the filter 'template': more than 1024 angles and scales; take larger steps");
  EXPECT_EQ(chain({"lookup:table=source"}),
            "--filter: 'table' of the filter 'lookup' must be a file, file:NAME");
  EXPECT_EQ(chain({"blend:over=file:second"}),
            "the filter 'blend': the image 'second' is 21x10, the frames are 20x10");
}

/// Before anything is made: 64 times 17 frames of 1 GiB.
TEST(FilterChains, RefuseMoreThanTheDeviceHas) {
  FilterUses uses;
  for (int i = 0; i < 64; ++i)
    uses.push_back(filters::parseUse(fmt::format("d{}=delay:frames=16", i), "test"));
  try {
    FilterChain(test::device(), test::passes(8), kernels(), {{16384, 16384, 3, 8}, 1}, uses,
                nullptr);
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    const std::string told = error.what();
    EXPECT_TRUE(told.starts_with("the filters need ")) << told;
    EXPECT_TRUE(told.ends_with("; use fewer filters, smaller frames or fewer cameras")) << told;
  }
}

/// A user's own files, and what is told of a wrong one.
TEST(FilterFolders, AreCompiledAndRefused) {
  const std::string folder = GLINT_FILTER_FOLDER;
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "this machine has no copy of " << folder;
  filters::catalog().addFolder(folder + "/good");
  const FrameFormat format{{20, 10, 1, 8}, 1};
  const auto images = test::makeImages(test::patterns()[0], format.image, 1);
  const auto got = ChainRig(format, chainOf({"my_stripes:period=3"})).run(images, 0);
  for (size_t i = 0; i < 200; ++i)
    EXPECT_EQ(got[0].values[i], i % 20 % 3 == 0 ? 255 - images[0].values[i] : images[0].values[i]);
  const auto wider = ChainRig(format, chainOf({"my_tiles"})).run(images, 0);
  for (size_t i = 0; i < 200; ++i)
    EXPECT_EQ(wider[0].values[i],
              std::max(images[0].values[i], images[0].values[i % 20 < 19 ? i + 1 : i]));
  const auto told = [&](const char* name) {
    return refusal([&] { filters::catalog().addFolder(folder + name); });
  };
  EXPECT_EQ(told("/bad_code"),
            folder + "/bad_code/wrong.comp, line 4: 'brightness' : undeclared identifier ");
  EXPECT_EQ(told("/bad_head"),
            folder + "/bad_head/wrong.comp, line 2: a filter's head has no 'parameter'");
  EXPECT_EQ(told("/good"),
            "'" + folder + "/good/my_stripes.comp': there is a filter 'my_stripes' already");
  EXPECT_EQ(told("/none"), "cannot read the folder of filters '" + folder + "/none'");
}

cv::Mat matOf(const Image& image) {
  cv::Mat mat(static_cast<int>(image.format.height), static_cast<int>(image.format.width),
              CV_MAKETYPE(image.format.bits == 8 ? CV_8U : CV_16U,
                          static_cast<int>(image.format.channels)));
  for (size_t i = 0; i < image.values.size(); ++i) {
    if (image.format.bits == 8)
      mat.ptr<uint8_t>()[i] = static_cast<uint8_t>(image.values[i]);
    else
      mat.ptr<uint16_t>()[i] = image.values[i];
  }
  return mat;
}

/// Compares a filter with what OpenCV makes of the same image.
void expectOpenCv(const std::string& use,
                  const std::function<void(const cv::Mat&, cv::Mat&)>& opencv, uint32_t bits = 8,
                  uint32_t channels = 1, double allowed = 0) {
  SCOPED_TRACE(use + " " + std::to_string(bits) + " bits, " + std::to_string(channels) +
               " channels");
  const FrameFormat format{{61, 40, channels, bits}, 1};
  for (const size_t pattern : {0U, 7U}) {
    const auto images = test::makeImages(test::patterns()[pattern], format.image, 1);
    const cv::Mat got = matOf(ChainRig(format, chainOf({use.c_str()})).run(images, 0)[0]);
    cv::Mat want;
    opencv(matOf(images[0]), want);
    EXPECT_LE(cv::norm(got, want, cv::NORM_INF), allowed);
  }
}

TEST(FiltersAndOpenCv, PointsAndWindows) {
  for (const uint32_t bits : {8U, 16U}) {
    const double full = bits == 8 ? 255 : 65535;
    expectOpenCv(
        "brightness:amount=0.2",
        [&](auto& in, auto& out) { cv::add(in, cv::Scalar(full / 5), out); }, bits);
    expectOpenCv(
        "contrast:factor=1.7",
        [&](auto& in, auto& out) { in.convertTo(out, in.type(), 1.7, full / 2 * (1 - 1.7)); }, bits,
        1, 1);
    expectOpenCv(
        "invert", [](auto& in, auto& out) { cv::bitwise_not(in, out); }, bits, 3);
    expectOpenCv(
        "threshold:level=0.4",
        [&](auto& in, auto& out) {
          cv::threshold(in, out, full * 0.4 - 1, full, cv::THRESH_BINARY);
        },
        bits);
    for (const int r : {1, 3, 7})
      expectOpenCv(
          "box:radius=" + std::to_string(r),
          [&](auto& in, auto& out) {
            cv::blur(in, out, {2 * r + 1, 2 * r + 1});
          },
          bits, 3, bits == 8 ? 0 : 1);
    for (const int r : {1, 2})
      expectOpenCv(
          "median:radius=" + std::to_string(r),
          [&](auto& in, auto& out) { cv::medianBlur(in, out, 2 * r + 1); }, bits, 3);
  }
  for (const int r : {3, 7})
    expectOpenCv("median:radius=" + std::to_string(r),
                 [&](auto& in, auto& out) { cv::medianBlur(in, out, 2 * r + 1); });
  expectOpenCv("adaptive_threshold", [](auto& in, auto& out) {
    cv::adaptiveThreshold(in, out, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY, 9,
                          13);  // 0.05 of 255, rounded
  });
  expectOpenCv(
      "bilateral:sigma_space=2:sigma_range=0.2:radius=4",
      [](auto& in, auto& out) { cv::bilateralFilter(in, out, 9, 51, 2); }, 8, 3, 1);
  const cv::Matx33f kernel{0.1F, -0.2F, 0.3F, 0.4F, 1.5F, -0.6F, 0.1F, 0.2F, -0.3F};
  expectOpenCv(
      "convolution3:kernel=0.1,-0.2,0.3,0.4,1.5,-0.6,0.1,0.2,-0.3",
      [&](auto& in, auto& out) {
        cv::filter2D(in, out, -1, kernel, {-1, -1}, 0, cv::BORDER_REPLICATE);
      },
      8, 3, 1);
}

TEST(FiltersAndOpenCv, RawPicturesAndLenses) {
  for (const uint32_t bits : {8U, 16U}) {
    for (const auto& [name, code] : {std::pair("rggb", cv::COLOR_BayerBG2BGR),
                                     {"grbg", cv::COLOR_BayerGB2BGR},
                                     {"gbrg", cv::COLOR_BayerGR2BGR},
                                     {"bggr", cv::COLOR_BayerRG2BGR}})
      expectOpenCv(
          std::string("demosaic:pattern=") + name,
          [code = code](auto& in, auto& out) { cv::cvtColor(in, out, code); }, bits);
    expectOpenCv(
        "undistort:fx=50:fy=55:cx=29:cy=21:k1=-0.2:k2=0.05:p1=0.01:p2=-0.02",
        [](auto& in, auto& out) {
          cv::Mat map(in.size(), CV_32FC2);
          for (int v = 0; v < in.rows; ++v) {
            for (int u = 0; u < in.cols; ++u) {
              const double x = (u - 29) / 50.0, y = (v - 21) / 55.0, r2 = x * x + y * y;
              const double g = 1 - 0.2 * r2 + 0.05 * r2 * r2;
              const double X = x * g + 0.02 * x * y - 0.02 * (r2 + 2 * x * x);
              const double Y = y * g + 0.01 * (r2 + 2 * y * y) - 0.04 * x * y;
              map.at<cv::Vec2f>(v, u) = {float(50 * X + 29), float(55 * Y + 21)};
            }
          }
          cv::remap(in, out, map, {}, cv::INTER_LINEAR);
        },
        bits, 3, bits == 8 ? 0 : 1);
  }
}

TEST(FiltersAndOpenCv, Canny) {
  for (const uint32_t channels : {1U, 3U}) {
    for (const int aperture : {3, 5, 7}) {
      for (const bool length : {false, true}) {
        for (const auto& [low, high] : {std::pair(50, 150), {400, 90}, {-5, 700}, {900, 2500}}) {
          expectOpenCv(
              "canny:low=" + std::to_string(low) + ":high=" + std::to_string(high) +
                  ":aperture=" + std::to_string(aperture) + ":norm=" + (length ? "L2" : "L1"),
              [&, low = low, high = high](auto& in, auto& out) {
                cv::Canny(in, out, low, high, aperture, length);
              },
              8, channels);
        }
      }
    }
  }
}

/// Edges far from the strong pixel that keeps them: a snake through the image, strong at its head.
TEST(FiltersAndOpenCv, CannysLongEdges) {
  cv::Mat image(240, 320, CV_8U, cv::Scalar(20));
  for (int y = 10; y < 230; y += 20) {
    cv::line(image, {10, y}, {309, y}, 40, 5);
    const int x = y / 20 % 2 == 0 ? 309 : 10;
    if (y + 20 < 230) cv::line(image, {x, y}, {x, y + 20}, 40, 5);
  }
  for (int x = 10; x < 50; ++x) cv::line(image, {x, 8}, {x, 12}, 40 + (50 - x) * 2);
  cv::line(image, {100, 235}, {200, 235}, 40);  // apart from it
  cv::Mat want;
  cv::Canny(image, want, 30, 300);
  ASSERT_GT(cv::countNonZero(want), 5000);
  const FrameFormat format{{320, 240, 1, 8}, 1};
  Image frame{format.image, {}};
  frame.values.assign(image.begin<uint8_t>(), image.end<uint8_t>());
  const auto got = ChainRig(format, chainOf({"canny:low=30:high=300"})).run({frame}, 0)[0];
  EXPECT_EQ(cv::norm(matOf(got), want, cv::NORM_INF), 0);
}

TEST(FiltersAndOpenCv, TemplateMatching) {
  for (const uint32_t bits : {8U, 16U}) {
    const FrameFormat format{{61, 40, 1, bits}, 1};
    const auto images = test::makeImages(test::patterns()[0], format.image, 1);
    cv::Mat image, part;
    matOf(images[0]).convertTo(image, CV_32F);
    part = image(cv::Rect(20, 9, 9, 8));
    std::map<std::string, std::vector<FilterImage>> files;
    files["pattern:frame"].push_back({format.image, images[0].values});
    for (const auto& [name, method] :
         {std::pair("ccoeff", cv::TM_CCOEFF_NORMED), {"sqdiff", cv::TM_SQDIFF_NORMED}}) {
      const auto uses =
          chainOf({(std::string("template:look=file:frame:part=20,9,9,8:method=") + name).c_str()});
      const auto got =
          ChainRig(format, uses, std::make_shared<const decltype(files)>(files)).run(images, 0)[0];
      cv::Mat want;
      cv::matchTemplate(image, part, want, method);
      // OpenCV's own sums are floats of a Fourier transform.
      const double full = format.image.fullScale(), allowed = 1 + full * 2e-5;
      for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 61; ++x) {
          const bool inside = x >= 4 && y >= 4 && x - 4 < want.cols && y - 4 < want.rows;
          double score = inside ? want.at<float>(y - 4, x - 4) : 0;
          if (inside && method == cv::TM_SQDIFF_NORMED) score = 1 - score;
          ASSERT_NEAR(got.values[size_t(y * 61 + x)], full * std::clamp(score, 0.0, 1.0), allowed);
        }
      }
      EXPECT_EQ(got.values[(9 + 4) * 61 + 20 + 4], format.image.fullScale());
    }
  }
}

/// Turned: OpenCV takes a mask for what is not of the template.
TEST(FiltersAndOpenCv, TurnedTemplates) {
  const FrameFormat format{{61, 40, 1, 8}, 1};
  const auto images = test::makeImages(test::patterns()[0], format.image, 1);
  std::map<std::string, std::vector<FilterImage>> files;
  files["pattern:look"].push_back(lookFor(8));
  const auto got = ChainRig(format, chainOf({"template:look=file:look:angle_from=90:angle_to=90"}),
                            std::make_shared<const decltype(files)>(files))
                       .run(images, 0)[0];
  cv::Mat image, look(5, 7, CV_32F), turned, want;
  matOf(images[0]).convertTo(image, CV_32F);
  for (int i = 0; i < 35; ++i)
    look.at<float>(i / 7, i % 7) = files["pattern:look"][0].values[size_t(i)];
  cv::rotate(look, turned, cv::ROTATE_90_CLOCKWISE);
  cv::matchTemplate(image, turned, want, cv::TM_CCOEFF_NORMED);
  for (int y = 0; y < want.rows; ++y)
    for (int x = 0; x < want.cols; ++x)
      ASSERT_NEAR(got.values[size_t((y + 3) * 61 + x + 2)],
                  255 * std::max(want.at<float>(y, x), 0.0F), 1);
}

/// A textured marker of 9x8 px that changes bit by bit while it moves over noise, in frame n.
Image changingMarker(const ImageFormat& format, int left, int top, double changed, uint32_t n) {
  const uint32_t full = format.fullScale();
  const auto mix = [](uint32_t i) { return double(i * 2654435761U >> 8) / (1 << 24); };
  Image image{format, {}};
  for (uint32_t i = 0; i < format.width * format.height; ++i) {
    const int x = int(i % format.width) - left, y = int(i / format.width) - top;
    const bool inside = x >= 0 && y >= 0 && x < 9 && y < 8;
    const auto k = static_cast<uint32_t>(y * 9 + x);
    const double own = inside ? (1 - changed) * mix(k + 5) + changed * mix(k + 977) : 0.4;
    const double noise = 0.1 * (mix(i * 131 + n * 7919 + 3) - 0.5);
    image.values.push_back(
        static_cast<uint16_t>(std::clamp(own * 0.8 + 0.1 + noise, 0.0, 1.0) * full));
  }
  return image;
}

FilterImages looksFor(const Image& image) {
  std::map<std::string, std::vector<FilterImage>> files;
  files["pattern:frame"].push_back({image.format, image.values});
  return std::make_shared<const decltype(files)>(std::move(files));
}

/// The template of each frame follows from the one before by its definition.
TEST(FiltersAndOpenCv, TemplatesThatFollow) {
  for (const uint32_t bits : {8U, 16U}) {
    const FrameFormat format{{61, 40, 1, bits}, 1};
    const double full = format.image.fullScale(), allowed = 1 + full * 2e-5;
    const auto frame = [&](int n) {
      return changingMarker(format.image, 20 + n, 9 + n / 2, n * 0.08, uint32_t(n));
    };
    const std::string part = "template:look=file:frame:part=20,9,9,8";
    ChainRig rig(format, chainOf({(part + ":update=0.4").c_str()}), looksFor(frame(0)));
    cv::Mat look, image, want;
    matOf(frame(0))(cv::Rect(20, 9, 9, 8)).convertTo(look, CV_64F);
    const cv::Mat first = look.clone();
    for (int n = 0; n < 12; ++n) {
      const Image now = frame(n), got = rig.run({now}, uint64_t(n))[0];
      if (n % 5 == 2) {  // a frame that comes once more changes nothing
        EXPECT_EQ(rig.run({now}, uint64_t(n))[0].values, got.values);
      }
      cv::Mat rounded;
      look.convertTo(rounded, CV_32F);
      for (auto& value : cv::Mat_<float>(rounded)) value = std::floor(value + 0.5F);
      matOf(now).convertTo(image, CV_32F);
      cv::matchTemplate(image, rounded, want, cv::TM_CCOEFF_NORMED);
      for (int y = 0; y < want.rows; ++y)
        for (int x = 0; x < want.cols; ++x)
          ASSERT_NEAR(got.values[size_t((y + 4) * 61 + x + 4)],
                      full * std::clamp(want.at<float>(y, x), 0.0F, 1.0F), allowed);
      const auto best =
          size_t(std::max_element(got.values.begin(), got.values.end()) - got.values.begin());
      EXPECT_EQ(best, size_t((9 + n / 2 + 4) * 61 + 20 + n + 4));
      EXPECT_GT(got.values[best], 0.8 * full);
      cv::Mat seen;
      matOf(now)(cv::Rect(int(best % 61) - 4, int(best / 61) - 4, 9, 8)).convertTo(seen, CV_64F);
      look += 0.4 * (seen - look);
    }
    // What does not follow has nearly lost it by then.
    cv::Mat still;
    first.convertTo(still, CV_32F);
    cv::matchTemplate(image, still, want, cv::TM_CCOEFF_NORMED);
    EXPECT_LT(want.at<float>(9 + 11 / 2, 20 + 11), 0.6);
  }
}

/// Noise does not move it: what stands still is found at the same pixel for good.
TEST(FilterChains, TemplatesDoNotDriftFromWhatStands) {
  const FrameFormat format{{61, 40, 1, 8}, 1};
  const auto frame = [&](uint32_t n) { return changingMarker(format.image, 30, 15, 0, n); };
  ChainRig rig(format, chainOf({"template:look=file:frame:part=30,15,9,8:update=0.5"}),
               looksFor(frame(0)));
  for (uint32_t n = 0; n < 100; ++n) {
    const auto got = rig.run({frame(n)}, n)[0].values;
    const auto best = std::max_element(got.begin(), got.end());
    ASSERT_EQ(best - got.begin(), (15 + 4) * 61 + 30 + 4) << n;
    ASSERT_GT(*best, 230) << n;
  }
}

/// Quarter turns are exact, there and back.
TEST(FilterChains, TellHowATemplateFits) {
  const FrameFormat format{{61, 40, 1, 8}, 1};
  const Image first = changingMarker(format.image, 20, 9, 0, 0);
  cv::Mat look = matOf(first)(cv::Rect(20, 9, 9, 8)).clone();
  ChainRig rig(
      format,
      chainOf({"template:look=file:frame:part=20,9,9,8:angle_to=270:angle_step=90:update=1"}),
      looksFor(first));
  for (int quarter = 0; quarter < 8; ++quarter) {
    Image now =
        changingMarker(format.image, 100, 100, 0, uint32_t(quarter));  // outside: noise alone
    for (int y = 0; y < look.rows; ++y)
      for (int x = 0; x < look.cols; ++x)
        now.values[size_t((y + 20) * 61 + x + 40)] = look.at<uint8_t>(y, x);
    const auto got = rig.run({now}, uint64_t(quarter))[0].values;
    const auto x = uint32_t(40 + look.cols / 2), y = uint32_t(20 + look.rows / 2);
    EXPECT_EQ(got[y * 61 + x], 255);  // also when it has followed by all of the difference
    const auto fit = rig.fitAt(x, y);
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->angle, quarter % 4 * 90);
    EXPECT_EQ(fit->scale, 1);
    EXPECT_FALSE(rig.fitAt(0, 0));
    cv::rotate(look, look, cv::ROTATE_90_CLOCKWISE);
  }
}

TEST(FiltersAndOpenCv, Morphology) {
  const std::pair<const char*, int> kOps[] = {
      {"dilate", cv::MORPH_DILATE},     {"erode", cv::MORPH_ERODE},
      {"open", cv::MORPH_OPEN},         {"close", cv::MORPH_CLOSE},
      {"gradient", cv::MORPH_GRADIENT}, {"tophat", cv::MORPH_TOPHAT},
      {"blackhat", cv::MORPH_BLACKHAT}};
  const std::pair<const char*, int> kElements[] = {
      {"rect", cv::MORPH_RECT}, {"ellipse", cv::MORPH_ELLIPSE}, {"cross", cv::MORPH_CROSS}};
  for (const auto& [op, operation] : kOps) {
    for (const auto& [shape, element] : kElements) {
      for (const int size : {1, 4, 9, 32}) {
        expectOpenCv(
            "morphology:op=" + std::string(op) + ":shape=" + shape +
                ":size=" + std::to_string(size),
            [&](auto& in, auto& out) {
              cv::morphologyEx(in, out, operation,
                               cv::getStructuringElement(element, {size, size}));
            },
            size == 4 ? 16 : 8, size == 9 ? 3 : 1);
      }
    }
  }
}

}  // namespace
}  // namespace glint
