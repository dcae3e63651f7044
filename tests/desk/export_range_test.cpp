// Tests exports of a part of a recording: they contain what `glint track` writes for these
// frames.
#include "app/shell/desk/export_range.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/capture/source/source_kinds.h"
#include "app/motion/rig/rig_file.h"
#include "app/motion/space/space_rig.h"
#include "config/error.h"
#include "tests/app/driven_session.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

using State = shell::RangeExport::Progress::State;
namespace fs = std::filesystem;

constexpr const char* kRangeScene = "synth:dancer?size=160x120&frames=48&seed=4&cameras=1";

std::string textOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator(file), {}};
}

std::vector<std::string> namesIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<output::OutputSpec> tracksTo(const std::vector<std::string>& paths) {
  std::vector<output::OutputSpec> outputs;
  for (const std::string& path : paths) outputs.push_back({.kind = "tracks", .target = path});
  return outputs;
}

/// Does what `glint track` does: runs a plain session with sinks that write whole files.
void track(const std::vector<std::string>& sources, const std::vector<std::string>& files,
           std::optional<uint64_t> frames = {}, const Settings& settings = {}) {
  session::SessionOptions options{.settings = settings, .maxFrames = frames};
  options.open = [&](const capture::CameraGroups& groups) {
    std::vector<session::command::AddSink> all(1);
    all[0].sinks =
        output::makeSinks(tracksTo(files), output::Handover::waits, {.images = groups.images()});
    return all;
  };
  session::Session session(sessionDevice(), sourcesOf(sources), options);
  ASSERT_EQ(session.finish().failure, "");
}

shell::RangeExport::Progress finished(shell::RangeExport& exporting) {
  exporting.wait();
  return exporting.progress();
}

const std::vector<std::string> kNames{"t.csv",           "t.jsonl",       "t.trackpy.csv",
                                      "t.trackmate.csv", "t.kinovea.csv", "t.tsv"};

std::vector<std::string> in(const test::Folder& folder, const std::string& below) {
  fs::create_directory(folder / below);
  std::vector<std::string> paths;
  for (const std::string& name : kNames) paths.push_back(folder / (below + "/" + name));
  return paths;
}

TEST(ExportRange, OfTheWholeRecordingIsGlintTracksByteForByte) {
  const test::Folder folder;
  const std::vector<std::string> sources{kRangeScene,
                                         "synth:dancer?size=128x96&frames=30&seed=5&cameras=1"};
  track(sources, in(folder, "track"));
  shell::RangeExport exporting(sessionDevice(), {.sources = {sources.begin(), sources.end()},
                                                 .settings = {},
                                                 .out = {},
                                                 .outputs = tracksTo(in(folder, "export")),
                                                 .record = false});
  const auto progress = finished(exporting);
  EXPECT_EQ(progress.problem, "");
  EXPECT_EQ(progress.state, State::done);
  EXPECT_EQ(progress.frames, 48U);
  const auto names = namesIn(folder / "track");
  EXPECT_EQ(namesIn(folder / "export"), names);
  EXPECT_GE(names.size(), kNames.size());
  for (const std::string& name : names) {
    const std::string expected = textOf(folder / ("track/" + name));
    EXPECT_GT(expected.size(), 500U) << name;
    EXPECT_EQ(textOf(folder / ("export/" + name)), expected) << name;
  }
}

// The images show dark spots on white, which the default settings do not find.
TEST(ExportRange, TheRecordSaysWhichSettingsWouldHelp) {
  const test::Folder folder;
  constexpr int kWidth = 160, kHeight = 120;
  fs::create_directory(folder / "dark");
  for (int n = 0; n < 4; ++n) {
    std::string pixels(kWidth * kHeight, '\xf0');
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const double far = std::hypot((x - 2 * n) % 20 - 10, y % 24 - 12);
        pixels[static_cast<size_t>(y * kWidth + x)] =
            static_cast<char>(240 - static_cast<int>(200 * std::exp(-far * far / 4.5)));
      }
    std::ofstream(folder / fmt::format("dark/{}.pgm", n), std::ios::binary)
        << fmt::format("P5\n{} {}\n255\n", kWidth, kHeight) << pixels;
  }
  shell::RangeExport exporting(sessionDevice(), {.sources = {Address(folder / "dark")},
                                                 .settings = {},
                                                 .out = {},
                                                 .outputs = tracksTo({folder / "t.csv"})});
  EXPECT_EQ(finished(exporting).state, State::done) << exporting.progress().problem;
  const auto record = nlohmann::json::parse(textOf(folder / "t.json"));
  ASSERT_FALSE(record.at("findings").empty());
  const auto& options = record.at("findings").back().at("options");
  EXPECT_NE(std::ranges::find(options, "--dark"), options.end()) << record.at("findings").dump();
}

/// Returns the header of a file and its lines of frames `first` to `last`.
std::string linesOf(const std::string& text, uint64_t first, uint64_t last) {
  std::istringstream lines(text);
  std::string line, part;
  std::getline(lines, line);
  part = line + "\n";
  while (std::getline(lines, line)) {
    const auto frame = std::stoull(line.substr(line.find(',') + 1));
    if (frame >= first && frame <= last) part += line + "\n";
  }
  return part;
}

TEST(ExportRange, HoldsTheWholeFilesRowsOfItsFrames) {
  const test::Folder folder;
  track({kRangeScene}, {folder / "whole.csv"});
  const std::string whole = textOf(folder / "whole.csv");
  for (const auto& [first, last] :
       {std::pair<uint64_t, uint64_t>{0, 0}, {0, 20}, {13, 27}, {29, 29}, {20, 47}, {40, 1000}}) {
    shell::RangeExport exporting(sessionDevice(), {.sources = {kRangeScene},
                                                   .settings = {},
                                                   .in = SetIndex(first),
                                                   .out = SetIndex(last),
                                                   .outputs = tracksTo({folder / "part.csv"}),
                                                   .record = false});
    EXPECT_EQ(finished(exporting).state, State::done) << exporting.progress().problem;
    EXPECT_EQ(textOf(folder / "part.csv"), linesOf(whole, first, last)) << first << "-" << last;
    EXPECT_LE(exporting.progress().frames, std::min<uint64_t>(last + 21, 48))
        << "no more than needed";
  }
}

TEST(ExportRange, HoldsRowsThatComeLate) {
  const test::Folder folder;
  constexpr const char* kHiding =
      "synth:crossing?size=160x120&frames=110&markers=5&occluded=0.5&seed=2";
  Settings settings;
  settings.track.maxGap = 45;
  track({kHiding}, {folder / "whole.csv"}, {}, settings);
  const std::string whole = textOf(folder / "whole.csv");
  for (const uint64_t last : {12, 31, 60}) {
    shell::RangeExport exporting(sessionDevice(), {.sources = {kHiding},
                                                   .settings = settings,
                                                   .in = SetIndex(5),
                                                   .out = SetIndex(last),
                                                   .outputs = tracksTo({folder / "part.csv"}),
                                                   .record = false});
    EXPECT_EQ(finished(exporting).state, State::done) << exporting.progress().problem;
    EXPECT_EQ(textOf(folder / "part.csv"), linesOf(whole, 5, last)) << last;
  }
}

TEST(ExportRange, OfTheBundledClipIsGlintTracks) {
  const test::Folder folder;
  const std::string clip = GLINT_ASSETS "/dancer.mp4";
  shell::RangeExport exporting(sessionDevice(), {.sources = {Address(clip)},
                                                 .settings = {},
                                                 .in = {},
                                                 .out = SetIndex(59),
                                                 .outputs = tracksTo({folder / "export.csv"}),
                                                 .record = true});
  ASSERT_EQ(finished(exporting).state, State::done) << exporting.progress().problem;
  track({clip}, {folder / "longer.csv"}, 90);
  const std::string exported = textOf(folder / "export.csv");
  EXPECT_EQ(exported, linesOf(textOf(folder / "longer.csv"), 0, 59));
  EXPECT_GT(exported.size(), 100'000U);
  EXPECT_NE(textOf(folder / "export.json").find("dancer.mp4"), std::string::npos) << "its record";
}

TEST(ExportRange, WritesTracksAsTheyAreEdited) {
  const test::Folder folder;
  track({kRangeScene}, {folder / "plain.csv"});
  std::istringstream plain(textOf(folder / "plain.csv"));
  std::string head, line, wanted;
  std::getline(plain, head);
  // The first line belongs to a track that is there from the first frame on.
  std::getline(plain, line);
  double x = 0, y = 0;
  unsigned track = 0;
  ASSERT_EQ(std::sscanf(line.c_str(), "0,0,%*[^,],%u,measured,%lf,%lf", &track, &x, &y), 3) << line;
  const output::TrackAnchor at{CameraIndex(), FrameNumber(), x, y};
  output::TrackEdits edits;
  edits.edits = {{.kind = output::EditKind::rename, .at = at, .name = "hip"}};
  for (plain.seekg(static_cast<std::streamoff>(head.size()) + 1); std::getline(plain, line);) {
    unsigned frame = 0, id = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "0,%u,%*[^,],%u,", &frame, &id), 2);
    if (frame >= 10 && frame <= 20) wanted += line + (id == track ? ",hip\n" : ",\n");
  }
  shell::RangeExport exporting(sessionDevice(), {.sources = {kRangeScene},
                                                 .settings = {},
                                                 .edits = edits,
                                                 .in = SetIndex(10),
                                                 .out = SetIndex(20),
                                                 .outputs = tracksTo({folder / "t.csv"})});
  const auto progress = finished(exporting);
  EXPECT_EQ(progress.problem, "");
  EXPECT_EQ(std::pair(progress.pass, progress.passes), std::pair(uint64_t{2}, uint64_t{2}));
  EXPECT_LE(progress.frames, 48U) << "those of the second pass alone";
  EXPECT_LE(*progress.total, 48U);
  EXPECT_EQ(textOf(folder / "t.csv"), head + ",name\n" + wanted);
}

TEST(ExportRange, WritesDetectionsStatisticsCandidatesAndAVideo) {
  const test::Folder folder;
  shell::RangeExport exporting(sessionDevice(),
                               {.sources = {kRangeScene},
                                .settings = {},
                                .in = SetIndex(5),
                                .out = SetIndex(9),
                                .outputs = {{.kind = "detections", .target = folder / "d.csv"},
                                            {.kind = "stats", .target = folder / "s.csv"},
                                            {.kind = "rejected", .target = folder / "r.csv"},
                                            {.kind = "overlay", .target = folder / "o.mkv"}}});
  ASSERT_EQ(finished(exporting).state, State::done) << exporting.progress().problem;
  EXPECT_EQ(namesIn(folder.path()), (std::vector<std::string>{"d.csv", "o.mkv", "r.csv", "s.csv"}));
  std::istringstream stats(textOf(folder / "s.csv"));
  std::string line;
  std::getline(stats, line);
  for (int frame = 5; frame <= 9; ++frame) {
    ASSERT_TRUE(std::getline(stats, line));
    EXPECT_TRUE(line.starts_with(fmt::format("0,{},", frame))) << line;
  }
  EXPECT_FALSE(std::getline(stats, line));
  EXPECT_EQ(linesOf(textOf(folder / "d.csv"), 5, 9), textOf(folder / "d.csv"));
  const auto video = capture::openSource(Address(folder / "o.mkv"));
  std::vector<std::byte> pixels(video->format().pixels() * video->format().bytesPerPixel());
  int frames = 0;
  while (video
             ->read({video->format(), pixels.data(),
                     size_t{video->format().width} * video->format().bytesPerPixel()})
             .state == gpu::CameraState::frame)
    ++frames;
  EXPECT_EQ(frames, 5);
}

TEST(ExportRange, CancelledItLeavesEverythingAsItWas) {
  const test::Folder folder;
  std::ofstream(folder / "t.csv") << "earlier\n";
  shell::RangeExport exporting(
      sessionDevice(), {.sources = {"synth:dancer?size=160x120&frames=100000&seed=4&cameras=1"},
                        .settings = {},
                        .out = {},
                        .outputs = tracksTo({folder / "t.csv", folder / "new.tsv"})});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(240);
  while (exporting.progress().frames < 40 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(exporting.progress().total, 100000U);
  exporting.cancel();
  EXPECT_EQ(finished(exporting).state, State::cancelled);
  EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"t.csv"});
  EXPECT_EQ(textOf(folder / "t.csv"), "earlier\n");
}

/// Returns the problem of an export that must fail.
std::string problemOf(shell::ExportRequest wish) {
  shell::RangeExport exporting(sessionDevice(), std::move(wish));
  EXPECT_EQ(finished(exporting).state, State::failed);
  return exporting.progress().problem;
}

TEST(ExportRange, RefusesWithASentenceAndLeavesNothing) {
  const test::Folder folder;
  std::ofstream(folder / "a.csv") << "earlier\n";
  const auto wish = [&](const std::string& file, uint64_t from = 0,
                        std::optional<uint64_t> to = {}) {
    return shell::ExportRequest{.sources = {kRangeScene},
                                .settings = {},
                                .in = SetIndex(from),
                                .out = to ? std::optional(SetIndex(*to)) : std::nullopt,
                                .outputs = tracksTo({file})};
  };
  const auto says = [&](shell::ExportRequest refused, const std::string& what) {
    const std::string problem = problemOf(std::move(refused));
    EXPECT_NE(problem.find(what), std::string::npos) << problem;
    EXPECT_EQ(problem.find(".glint-export"), std::string::npos) << problem;
  };
  says(wish(folder / "a.unknown"), "a.unknown");
  says(wish(folder / "missing/a.csv"), folder / "missing");
  says(wish(folder.path().string()), folder.path().string());
  says(wish("/dev/null"), "/dev/null");
  says(wish(folder / "a.csv", 48), "48");
  says(wish(folder / "a.csv", 9, 3), "range");
  shell::ExportRequest twice = wish(folder / "b.csv");
  twice.outputs.push_back(twice.outputs.front());
  says(twice, "twice");
  shell::ExportRequest none = wish(folder / "b.csv");
  none.outputs.clear();
  says(none, "nothing to export");
  shell::ExportRequest same = wish(GLINT_ASSETS "/dancer.mp4");
  same.sources = {GLINT_ASSETS "/dancer.mp4"};
  same.outputs[0].kind = "overlay";
  says(same, "is read by this export");
  EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"a.csv"});
  EXPECT_EQ(textOf(folder / "a.csv"), "earlier\n");
}

/// Writes pictures of a disc that moves. The last file is cut off.
void writeShots(const test::Folder& folder, int count) {
  fs::create_directory(folder / "shots");
  for (int n = 0; n < count; ++n) {
    std::string pixels;
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 64; ++x)
        pixels += std::hypot(x - 12 - n, y - 20) < 3 ? '\xf0'
                                                     : static_cast<char>(20 + (x * 7 + y * 5) % 3);
    std::ofstream file(folder / fmt::format("shots/{:02}.pgm", n), std::ios::binary);
    file << "P5 64 48 255\n" << (n + 1 < count ? pixels : pixels.substr(0, 500));
  }
}

TEST(ExportRange, ARecordingThatBreaksIsExportedUpToThere) {
  const test::Folder folder;
  writeShots(folder, 25);
  shell::RangeExport exporting(sessionDevice(), {.sources = {Address(folder / "shots")},
                                                 .settings = {},
                                                 .out = {},
                                                 .outputs = tracksTo({folder / "t.csv"})});
  const auto progress = finished(exporting);
  EXPECT_EQ(progress.state, State::done);
  EXPECT_NE(progress.problem.find("24.pgm"), std::string::npos) << progress.problem;
  const std::string rows = textOf(folder / "t.csv");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 1 + 24);
}

TEST(ExportRange, TellsWhichFilesItWouldWrite) {
  shell::ExportRequest wish{.sources = {"a", "b"}, .settings = {}, .out = {}, .outputs = {}};
  wish.outputs = tracksTo({"x/t.csv", "x/t.trackpy.csv"});
  wish.outputs.push_back({.kind = "overlay", .target = "o.mp4"});
  EXPECT_EQ(shell::filesOf(wish),
            (std::vector<std::string>{"x/t.csv", "x/t_cam0.trackpy.csv", "x/t_cam1.trackpy.csv",
                                      "o.mp4", "x/t.json"}));
  wish.record = false;
  EXPECT_EQ(shell::filesOf(wish).size(), 4U);
  wish.outputs = tracksTo({"t.what"});
  EXPECT_THROW(shell::filesOf(wish), UsageError);
}

/// The bundled recording of four cameras, with its rig.
struct Stage {
  std::vector<std::string> sources;
  std::shared_ptr<const motion::SpaceRig> rig = std::make_shared<const motion::SpaceRig>(
      motion::readRig(GLINT_ASSETS "/stage.rig.toml").rig, false);

  Stage() {
    for (int camera = 0; camera < 4; ++camera)
      sources.push_back(fmt::format(GLINT_ASSETS "/stage_cam{}.mp4", camera));
  }

  /// Returns the outputs of points and tracks in a folder, as tests compare them.
  static std::vector<output::OutputSpec> outputsIn(const std::string& folder) {
    fs::create_directory(folder);
    return {{.kind = "points", .target = folder + "/p.csv"},
            {.kind = "points", .target = folder + "/p.c3d"},
            {.kind = "points", .target = folder + "/p.wide.csv"},
            {.kind = "tracks", .target = folder + "/t.csv"}};
  }

  /// Writes the whole recording into a folder, as `glint track` does.
  void trackInto(const std::string& folder) const {
    const std::vector<output::OutputSpec> outputs = outputsIn(folder);
    session::SessionOptions options{.settings = {}, .rig = rig};
    options.open = [&](const capture::CameraGroups& groups) {
      std::vector<session::command::AddSink> all(1);
      all[0].sinks =
          output::makeSinks(outputs, output::Handover::waits, {.images = groups.images()});
      return all;
    };
    session::Session session(sessionDevice(), sourcesOf(sources), options);
    ASSERT_EQ(session.finish().failure, "");
  }

  shell::ExportRequest request(const std::string& folder, SetIndex in,
                               std::optional<SetIndex> out) const {
    return {.sources = {sources.begin(), sources.end()},
            .settings = {},
            .in = in,
            .out = out,
            .outputs = outputsIn(folder),
            .rig = rig,
            .record = false};
  }
};

/// Returns the header of a table, and those of its lines whose first field is a number from `first`
/// to `last`.
std::string framesOf(const std::string& text, uint64_t first, uint64_t last) {
  std::istringstream lines(text);
  std::string line, part;
  std::getline(lines, line);
  part = line + "\n";
  while (std::getline(lines, line)) {
    const uint64_t frame = std::stoull(line);
    if (frame >= first && frame <= last) part += line + "\n";
  }
  return part;
}

TEST(ExportRange, OfARecordingWithARigHoldsItsPoints) {
  const test::Folder folder;
  const Stage stage;
  stage.trackInto(folder / "track");
  shell::RangeExport whole(sessionDevice(), stage.request(folder / "whole", SetIndex(), {}));
  EXPECT_EQ(finished(whole).state, State::done) << whole.progress().problem;
  EXPECT_EQ(namesIn(folder / "whole"), namesIn(folder / "track"));
  for (const std::string& name : namesIn(folder / "track")) {
    const std::string expected = textOf(folder / ("track/" + name));
    EXPECT_GT(expected.size(), 10000U) << name;
    EXPECT_EQ(textOf(folder / ("whole/" + name)), expected) << name;
  }
}

TEST(ExportRange, OfARangeHoldsThePointsOfTheWholeRecordingInIt) {
  const test::Folder folder;
  const Stage stage;
  stage.trackInto(folder / "track");
  const std::string points = textOf(folder / "track/p.csv");
  for (const auto& [in, out] : {std::pair<uint64_t, uint64_t>{0, 0}, {10, 25}, {40, 59}}) {
    const std::string part = folder / fmt::format("part{}", in);
    shell::RangeExport exporting(sessionDevice(), stage.request(part, SetIndex(in), SetIndex(out)));
    EXPECT_EQ(finished(exporting).state, State::done) << exporting.progress().problem;
    EXPECT_EQ(textOf(part + "/p.csv"), framesOf(points, in, out));
    const std::string wide = textOf(part + "/p.wide.csv");
    EXPECT_EQ(std::ranges::count(wide, '\n'), static_cast<long>(out - in + 2));
  }
}

}  // namespace
}  // namespace glint
