// Tests the track files of every format, which are read back by the rules of the format.
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <sys/resource.h>

#include "app/output/catalog/outputs.h"
#include "app/output/sinks/file_claim.h"
#include "app/output/tables/tables.h"
#include "app/output/tables/track_formats.h"
#include "tests/app/frames.h"
#include "tests/app/pictures.h"

namespace glint {
namespace {

namespace fs = std::filesystem;

using Fields = std::vector<std::string>;

std::string load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns the fields of a line. An empty last field counts.
Fields split(const std::string& line, char separator) {
  Fields fields(1);
  for (const char c : line) {
    if (c == separator)
      fields.emplace_back();
    else
      fields.back().push_back(c);
  }
  return fields;
}

/// Returns the lines of a file, which must all end in `end`.
std::vector<Fields> table(const std::string& path, char separator, const std::string& end = "\n") {
  const std::string text = load(path);
  std::vector<Fields> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t next = text.find(end, at);
    if (next == std::string::npos) {
      ADD_FAILURE() << path << " ends within a line";
      break;
    }
    lines.push_back(split(text.substr(at, next - at), separator));
    at = next + end.size();
  }
  return lines;
}

/// The places of tracks as the file's text states them: x and y, by frame and track.
using Places = std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>>;

// Returns the time of a frame. Frames are 1/7 s apart, frames from 6 on are late by 0.4 s, and each
// camera is 3 ms later than the one before.
double timeOf(size_t camera, uint64_t frame) {
  const auto n = static_cast<double>(frame);
  return n / 7 + (frame >= 6 ? 0.4 : 0) + 0.003 * static_cast<double>(camera);
}

/// Returns the rows of a frame of two cameras: tracks 1 and 3 in camera 0, and 2 and 14 in camera
/// 1. Track 1 is predicted in frames 3 and 4. Frame 9 has no rows.
std::vector<motion::TrackRow> rowsOf(size_t camera, uint64_t frame) {
  std::vector<motion::TrackRow> rows;
  const auto n = static_cast<double>(frame);
  const auto add = [&](uint64_t track, double x, double y) {
    motion::TrackRow row;
    row.frame = FrameNumber(frame);
    row.time = timeOf(camera, frame);
    row.track = TrackId(track);
    row.x = x;
    row.y = y;
    row.seen = {x, y, 0.03, 0.04, 200 + n, 1234.5, 4, 0.25, 0};
    if (track == 1 && (frame == 3 || frame == 4)) row.state = motion::TrackState::predicted;
    rows.push_back(row);
  };
  if (frame == 9) return rows;
  if (camera == 0) add(1, 10.00004 + n, 20 - 3.25 * n);
  if (camera == 0 && frame >= 2) add(3, 30 + n / 3, 7);
  if (camera == 1 && frame < 5) add(2, 100.5, 0.125 * n);
  if (camera == 1 && frame >= 7) add(14, -0.25, 50);
  return rows;
}

/// Runs sinks over `frames` frames. Rows come three frames late, and the last ones at the end.
void run(const std::vector<std::unique_ptr<output::Sink>>& sinks, uint64_t frames, bool tracks) {
  constexpr uint64_t kLate = 3;
  for (uint64_t frame = 0; frame <= frames; ++frame) {
    const auto session = std::make_shared<motion::Frame>();
    session->cameras.resize(2);
    for (size_t camera = 0; camera < 2; ++camera) {
      motion::CameraFrame& c = session->cameras[camera];
      if (frame < frames) c.measured.stamp = stampOf(frame, timeOf(camera, frame));
      const uint64_t end = frame < frames ? frame + 1 : frames + kLate;
      for (uint64_t n = frame; tracks && n < end; ++n) {
        if (n < kLate) continue;
        for (const motion::TrackRow& row : rowsOf(camera, n - kLate)) c.finalised.push_back(row);
      }
    }
    for (const auto& sink : sinks) sink->accept(session);
  }
  for (const auto& sink : sinks) sink->finish();
}

class FormatsTest : public FolderTest {
 protected:
  /// Writes a file of every format: "all.csv", "all_cam0.tsv" and so on.
  void writeAll(uint64_t frames = 10, bool tracks = true) {
    std::vector<std::unique_ptr<output::Sink>> sinks;
    for (const output::TrackFormat& format : output::trackFormats()) {
      const auto files =
          output::trackFiles(path("all") + std::string(format.suffixes[0]), format, 2);
      for (size_t i = 0; i < files.size(); ++i) sinks.push_back(format.make(files[i], i));
    }
    run(sinks, frames, tracks);
  }

  std::string of(size_t camera, const std::string& suffix) const {
    return path("all_cam" + std::to_string(camera) + suffix);
  }

  /// Returns the measured rows of tracks.csv.
  Places glintPlaces(size_t camera) const {
    Places places;
    const auto lines = table(path("all.csv"), ',');
    for (size_t i = 1; i < lines.size(); ++i) {
      const Fields& f = lines[i];
      if (f.at(0) != std::to_string(camera) || f.at(4) != "measured") continue;
      places[{f[1], f[3]}] = {f.at(5), f.at(6)};
    }
    return places;
  }

  Places trackpyPlaces(size_t camera) const {
    Places places;
    const auto lines = table(of(camera, ".trackpy.csv"), ',');
    for (size_t i = 1; i < lines.size(); ++i)
      places[{lines[i].at(8), lines[i].at(9)}] = {lines[i].at(1), lines[i].at(0)};
    return places;
  }

  Places trackMatePlaces(size_t camera) const {
    Places places;
    const auto lines = table(of(camera, ".trackmate.csv"), ',');
    for (size_t i = 4; i < lines.size(); ++i)
      places[{lines[i].at(8), lines[i].at(2)}] = {lines[i].at(4), lines[i].at(5)};
    return places;
  }

  /// Returns the places of a Kinovea file. All fields but empty ones are in quotes (RFC 4180), and
  /// frames are found by their times.
  Places kinoveaPlaces(size_t camera) const {
    std::map<std::string, std::string> frameAt;
    for (uint64_t n = 0; n < 10; ++n) {
      std::ostringstream time;
      time.setf(std::ios::fixed);
      time.precision(6);
      time << timeOf(camera, n);
      frameAt[time.str()] = std::to_string(n);
    }
    Places places;
    auto lines = table(of(camera, ".kinovea.csv"), ',', "\r\n");
    for (Fields& line : lines) {
      EXPECT_EQ(line.size(), lines[0].size());
      for (std::string& field : line) {
        if (field.empty()) continue;
        EXPECT_TRUE(field.size() > 2 && field.front() == '"' && field.back() == '"') << field;
        field = field.substr(1, field.size() - 2);
      }
    }
    for (size_t i = 1; i < lines.size(); ++i) {
      for (size_t c = 1; c + 1 < lines[i].size(); c += 2) {
        if (lines[i][c].empty()) continue;
        const std::string name = lines[0][c];  // Track 3/0/X
        const std::string track = name.substr(6, name.find('/') - 6);
        EXPECT_EQ(name, "Track " + track + "/0/X");
        EXPECT_EQ(lines[0][c + 1], "Track " + track + "/0/Y");
        places[{frameAt.at(lines[i][0]), track}] = {lines[i][c], lines[i][c + 1]};
      }
    }
    return places;
  }

  Places qtmPlaces(size_t camera) const {
    Places places;
    const auto lines = table(of(camera, ".tsv"), '\t', "\r\n");
    const Fields& names = lines.at(9);
    EXPECT_EQ(names[0], "MARKER_NAMES");
    for (size_t i = 11; i < lines.size(); ++i) {
      EXPECT_EQ(lines[i].size(), 2 * names.size());
      for (size_t track = 1; track < names.size(); ++track) {
        if (lines[i].at(2 * track) == "NaN") continue;
        places[{std::to_string(std::stoi(lines[i][0]) - 1), names[track].substr(5)}] = {
            lines[i][2 * track], lines[i].at(2 * track + 1)};
      }
    }
    return places;
  }
};

TEST_F(FormatsTest, AllHoldTheSamePlaces) {
  writeAll();
  for (size_t camera = 0; camera < 2; ++camera) {
    const Places expected = glintPlaces(camera);
    EXPECT_EQ(expected.size(), camera == 0 ? 14U : 7U);
    EXPECT_EQ(trackpyPlaces(camera), expected);
    EXPECT_EQ(trackMatePlaces(camera), expected);
    EXPECT_EQ(kinoveaPlaces(camera), expected);
    EXPECT_EQ(qtmPlaces(camera), expected);
  }
}

TEST_F(FormatsTest, TrackpysColumns) {
  writeAll();
  const auto lines = table(of(0, ".trackpy.csv"), ',');
  EXPECT_EQ(lines[0], split("y,x,mass,size,ecc,signal,raw_mass,ep,frame,particle", ','));
  const Fields& first = lines.at(1);
  ASSERT_EQ(first.size(), 10U);
  EXPECT_EQ(first[2], "1234.5");
  EXPECT_NEAR(std::stod(first[3]), 4 / std::sqrt(2.0), 1e-4) << "a disc's radius of gyration";
  EXPECT_EQ(first[4], "0.250");
  EXPECT_EQ(first[5], "200");
  EXPECT_EQ(first[6], "") << "not known, so NaN for pandas";
  EXPECT_NEAR(std::stod(first[7]), std::sqrt((0.0009 + 0.0016) / 2), 1e-4);
}

TEST_F(FormatsTest, TrackMatesHeadingsAndSpots) {
  writeAll();
  const auto lines = table(of(0, ".trackmate.csv"), ',');
  ASSERT_EQ(lines.size(), 4U + 14U);
  EXPECT_EQ(lines[0][0], "LABEL");
  EXPECT_EQ(lines[1][1], "Spot ID");
  EXPECT_EQ(lines[2][9], "R");
  EXPECT_EQ(lines[3][7], "(sec)");
  for (size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(lines[i].size(), 12U) << i;
  for (size_t i = 4; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i][1], std::to_string(i - 4)) << "an id of its own for every spot";
    EXPECT_EQ(lines[i][0], "ID" + lines[i][1]);
    EXPECT_NEAR(std::stod(lines[i][7]), timeOf(0, std::stoull(lines[i][8])), 1e-6);
    EXPECT_EQ(std::stoi(lines[i][3]), 200 + std::stoi(lines[i][8]));
    EXPECT_EQ(lines[i][9], "4.000");
  }
}

TEST_F(FormatsTest, KinoveaHasALineForEveryFrameWithAMarker) {
  writeAll();
  EXPECT_EQ(table(of(0, ".kinovea.csv"), ',', "\r\n").size(), 1U + 9U);
  EXPECT_EQ(table(of(1, ".kinovea.csv"), ',', "\r\n").size(), 1U + 7U);
  const std::string text = load(of(1, ".kinovea.csv"));
  EXPECT_TRUE(text.starts_with(
      "\"Time\",\"Track 2/0/X\",\"Track 2/0/Y\",\"Track 14/0/X\",\"Track 14/0/Y\"\r\n"
      "\"0.003000\",\"100.5000\",\"0.0000\",,\r\n"))
      << text;
}

TEST_F(FormatsTest, QtmsHeaderSaysWhatFollows) {
  writeAll();
  const auto lines = table(of(1, ".tsv"), '\t', "\r\n");
  ASSERT_EQ(lines.size(), 11U + 10U) << "a line for every frame, also for those without a marker";
  const std::vector<std::pair<std::string, std::string>> expected{
      {"NO_OF_FRAMES", "10"}, {"NO_OF_CAMERAS", "1"}, {"NO_OF_MARKERS", "2"},
      {"FREQUENCY", ""},      {"NO_OF_ANALOG", "0"},  {"ANALOG_FREQUENCY", "0"},
      {"DESCRIPTION", "--"},  {"TIME_STAMP", "--"},   {"DATA_INCLUDED", "2D"}};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(lines[i].at(0), expected[i].first);
    EXPECT_EQ(i == 3 ? "" : lines[i].at(1), expected[i].second);
  }
  EXPECT_NEAR(std::stod(lines[3].at(1)), 9 / (timeOf(1, 9) - timeOf(1, 0)), 1e-4);
  EXPECT_EQ(lines[9], (Fields{"MARKER_NAMES", "Track2", "Track14"}));
  EXPECT_EQ(lines[10], (Fields{"Frame", "Time", "Track2 X", "Track2 Y", "Track14 X", "Track14 Y"}));
  for (uint64_t n = 0; n < 10; ++n) {
    EXPECT_EQ(lines[11 + n][0], std::to_string(n + 1));
    EXPECT_NEAR(std::stod(lines[11 + n][1]), timeOf(1, n), 1e-6);
  }
}

TEST_F(FormatsTest, WithoutTracksThereAreHeadingsOnly) {
  writeAll(10, false);
  EXPECT_EQ(table(path("all.csv"), ',').size(), 1U);
  EXPECT_EQ(table(of(0, ".trackpy.csv"), ',').size(), 1U);
  EXPECT_EQ(table(of(0, ".trackmate.csv"), ',').size(), 4U);
  EXPECT_EQ(load(of(0, ".kinovea.csv")), "\"Time\"\r\n");
  const auto qtm = table(of(0, ".tsv"), '\t', "\r\n");
  ASSERT_EQ(qtm.size(), 11U + 10U);
  EXPECT_EQ(qtm[2][1], "0");
  EXPECT_EQ(qtm[9], (Fields{"MARKER_NAMES"}));
  EXPECT_EQ(qtm[20].size(), 2U);
}

TEST_F(FormatsTest, WithoutFramesTheFilesAreWholeToo) {
  writeAll(0, false);
  EXPECT_EQ(load(of(0, ".kinovea.csv")), "\"Time\"\r\n");
  const auto qtm = table(of(0, ".tsv"), '\t', "\r\n");
  EXPECT_EQ(qtm.size(), 11U);
  EXPECT_EQ(qtm[3][1], "0") << "no rate is known";
}

/// Returns a sink of the format that has got all frames but has not been finished.
std::unique_ptr<output::Sink> unfinished(
    const output::TrackFormat& format, const std::string& path,
    motion::TrackKnowledge knowledge = motion::TrackKnowledge::causal) {
  auto sink = format.make(path, 0);
  for (uint64_t n = 0; n < 9; ++n) {
    const auto session = std::make_shared<motion::Frame>();
    session->knowledge = knowledge;
    session->cameras.resize(1);
    session->cameras[0].measured.stamp = stampOf(n, timeOf(0, n));
    session->cameras[0].finalised = rowsOf(0, n);
    sink->accept(session);
  }
  return sink;
}

TEST_F(FormatsTest, RowsOfAWideFileWaitBesideIt) {
  const std::string file = path("w.tsv"), rows = file + ".rows";
  auto sink = unfinished(output::chooseTrackFormat(file, ""), file);
  EXPECT_TRUE(fs::exists(rows));
  sink->finish();
  EXPECT_FALSE(fs::exists(rows));
  EXPECT_EQ(table(file, '\t', "\r\n").size(), 11U + 9U);
}

// Rows of long gaps come after those of later frames.
TEST_F(FormatsTest, RowsOfAWideFileMayComeLate) {
  const auto writeTo = [&](const std::string& file, bool late) {
    const auto sink = output::chooseTrackFormat(file, "").make(file, 0);
    for (uint64_t n = 0; n <= 12; ++n) {
      const auto session = std::make_shared<motion::Frame>();
      motion::CameraFrame& camera = session->cameras.emplace_back();
      if (n < 10) camera.measured.stamp = stampOf(n, timeOf(0, n));
      for (uint64_t from = 0; n < 10 && from < 10; ++from) {
        for (const motion::TrackRow& row : rowsOf(0, from)) {
          // Track 3 comes with frame 9, and its row of frame 2 comes last of all.
          const uint64_t due = !late || row.track != 3 ? from : 9;
          if (due == n && !(late && row.track == 3 && from == 2)) camera.finalised.push_back(row);
        }
      }
      if (late && n == 12) camera.finalised.push_back(rowsOf(0, 2).at(1));
      sink->accept(session);
    }
    sink->finish();
    return load(file);
  };
  for (const std::string suffix : {".tsv", ".kinovea.csv"}) {
    const std::string ordered = writeTo(path("ordered" + suffix), false);
    EXPECT_GT(ordered.size(), 300U);
    EXPECT_EQ(writeTo(path("late" + suffix), true), ordered);
    EXPECT_FALSE(fs::exists(path("late" + suffix + ".rows")));
  }
}

TEST_F(FormatsTest, WhatDoesNotFitIntoAWideFileIsKeptBesideIt) {
  const std::string file = path("w.tsv"), rows = file + ".rows";
  const output::TrackFormat& format = output::chooseTrackFormat(file, "");
  unfinished(format, path("whole.tsv"))->finish();
  auto sink = unfinished(format, file);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  // The signal is ignored, so that the write fails with EFBIG instead.
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  // The rows beside the file are shorter than this limit, but the whole file is longer.
  small.rlim_cur = fs::file_size(path("whole.tsv")) - 10;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string message;
  try {
    sink->finish();
  } catch (const Error& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message.find("'" + file + "'"), std::string::npos) << message;
  EXPECT_NE(message.find("'" + rows + "'"), std::string::npos) << message;
  const auto lines = table(rows, ',');
  ASSERT_EQ(lines.size(), 1U + 9U + 14U);
  EXPECT_EQ(lines[0], split("frame,time_s,track,x,y", ','));
  EXPECT_EQ(table(file, '\t', "\r\n").size(), 11U + 8U);
}

TEST_F(FormatsTest, AWideFileNeedsAPlaceForItsRows) {
  EXPECT_THROW(output::chooseTrackFormat("", "qtm").make("/dev/null", 0), UsageError);
  EXPECT_THROW(output::chooseTrackFormat("", "kinovea").make("/dev/null", 0), UsageError);
}

TEST_F(FormatsTest, SuffixesAndNamesChoose) {
  const auto chosen = [](const std::string& file, const std::string& name = "") {
    return std::string(output::chooseTrackFormat(file, name).name);
  };
  EXPECT_EQ(chosen("a.csv"), "csv");
  EXPECT_EQ(chosen("trackpy.csv"), "csv");
  EXPECT_EQ(chosen("a.trackpy.csv"), "trackpy");
  EXPECT_EQ(chosen("b/a.trackmate.csv"), "trackmate");
  EXPECT_EQ(chosen("a.kinovea.csv"), "kinovea");
  EXPECT_EQ(chosen("a.tsv"), "qtm");
  EXPECT_EQ(chosen("a.tsv", "trackpy"), "trackpy");
  EXPECT_EQ(chosen("/dev/null"), "csv");
  for (const auto& [file, name] :
       {std::pair{"a.txt", ""}, {"tracks", ""}, {"a.csv", "xls"}, {"csv", ""}}) {
    try {
      output::chooseTrackFormat(file, name);
      ADD_FAILURE() << file << " " << name;
    } catch (const UsageError& error) {
      for (const output::TrackFormat& format : output::trackFormats()) {
        const auto known = *name != '\0' ? format.name : format.suffixes.front();
        EXPECT_NE(std::string(error.what()).find(known), std::string::npos) << error.what();
      }
    }
  }
}

TEST_F(FormatsTest, EachCameraHasAFileWhereAFormatHoldsOne) {
  const auto files = [](const std::string& file, size_t cameras) {
    return output::trackFiles(file, output::chooseTrackFormat(file, ""), cameras);
  };
  EXPECT_EQ(files("a.csv", 3), Fields{"a.csv"});
  EXPECT_EQ(files("a.tsv", 1), Fields{"a.tsv"});
  EXPECT_EQ(files("x.y/a.b.tsv", 2), (Fields{"x.y/a.b_cam0.tsv", "x.y/a.b_cam1.tsv"}));
  EXPECT_EQ(files("a.trackpy.csv", 2), (Fields{"a_cam0.trackpy.csv", "a_cam1.trackpy.csv"}));
  EXPECT_EQ(output::trackFiles("x.y/a", output::chooseTrackFormat("", "qtm"), 2),
            (Fields{"x.y/a_cam0", "x.y/a_cam1"}));
}

TEST_F(FormatsTest, AFileThatIsNotWrittenIsNotMade) {
  {
    const output::FileClaim claim(path("new.csv"));
    EXPECT_TRUE(fs::exists(path("new.csv")));
  }
  EXPECT_FALSE(fs::exists(path("new.csv")));
  std::ofstream(path("old.csv")) << "earlier\n";
  for (const output::TrackFormat& format : output::trackFormats()) format.make(path("old.csv"), 0);
  EXPECT_EQ(load(path("old.csv")), "earlier\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
  EXPECT_THROW(output::FileClaim(path("no/such.csv")), Error);
}

// ---- Provisional ids

TEST_F(FormatsTest, ProvisionalIdsAreMarkedInEveryFormat) {
  const auto textOf = [&](std::string_view name, motion::TrackKnowledge knowledge) {
    const std::string file = path("p");
    unfinished(output::chooseTrackFormat("", std::string(name)), file, knowledge)->finish();
    return load(file);
  };
  const std::map<std::string, std::string> marks{
      {"csv", ",flags,provisional\n"},        {"jsonl", ",\"provisional\":true}\n"},
      {"trackpy", ",particle,provisional\n"}, {"trackmate", ",MANUAL_SPOT_COLOR,provisional\n"},
      {"kinovea", "\"Track ~1/0/X\""},        {"qtm", "\tTrack~1 X\t"}};
  for (const output::TrackFormat& format : output::trackFormats()) {
    SCOPED_TRACE(format.name);
    const std::string plain = textOf(format.name, motion::TrackKnowledge::causal);
    const std::string marked = textOf(format.name, motion::TrackKnowledge::provisional);
    EXPECT_EQ(textOf(format.name, motion::TrackKnowledge::whole), plain);
    EXPECT_EQ(plain.find("rovisional"), std::string::npos);
    EXPECT_EQ(plain.find('~'), std::string::npos);
    EXPECT_NE(marked.find(marks.at(std::string(format.name))), std::string::npos) << marked;
    EXPECT_EQ(std::count(marked.begin(), marked.end(), '\n'),
              std::count(plain.begin(), plain.end(), '\n'));
  }
  const auto lines = split(textOf("csv", motion::TrackKnowledge::provisional), '\n');
  for (size_t i = 1; i + 1 < lines.size(); ++i) EXPECT_TRUE(lines[i].ends_with(",0,1")) << lines[i];
}

// ---- Outputs

const output::OutputContext kTwoCameras{.images = {{64, 48, 1, 8}, {64, 48, 1, 8}}};

TEST_F(FormatsTest, EveryOutputNamesTheFilesThatItMakes) {
  for (const output::OutputKind& kind : output::outputKinds()) {
    if (kind.name == "stream") continue;
    SCOPED_TRACE(kind.name);
    const std::string suffix = kind.name == "picture"    ? ".png"
                               : kind.name == "tracks"   ? ".tsv"
                               : kind.suffixes().empty() ? ".csv"
                                                         : kind.suffixes().front();
    const output::OutputSpec spec{.kind = kind.name, .target = path("of") + suffix};
    const auto sinks = output::makeGroup(spec, 3, kTwoCameras).sinks;
    const auto files = kind.files(spec, 2);
    for (const auto& entry : fs::directory_iterator(folder_))
      EXPECT_NE(std::find(files.begin(), files.end(), entry.path().string()), files.end())
          << entry.path();
    EXPECT_EQ(sinks.size(), kind.name == "tracks" ? 2U : 1U);
  }
}

TEST_F(FormatsTest, WhatWouldBeWrittenTwiceOrOverAnInputIsRefused) {
  std::ofstream(path("in.csv")) << "read\n";
  const auto refusal = [&](const std::vector<output::OutputSpec>& specs,
                           std::string_view what = "run",
                           const std::string& owner = "") -> std::string {
    try {
      output::checkOutputs(specs, 2, {.read = {path("in.csv")}, .what = what, .owner = owner});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  const output::OutputSpec tracks{
      .kind = "tracks", .target = path("t.csv"), .options = {.record = true}};
  const auto file = [&](std::string_view kind, const std::string& name) {
    return output::OutputSpec{.kind = kind, .target = path(name)};
  };
  EXPECT_EQ(refusal({tracks, file("stats", "s.csv"), {.kind = "stats", .target = "/dev/null"}}),
            "");
  EXPECT_EQ(refusal({file("stats", "in.csv")}, "export"),
            "'" + path("in.csv") + "' is read by this export; name another output");
  for (const auto& other : {file("stats", "t.csv"), file("detections", "t.json")})
    EXPECT_NE(refusal({tracks, other}).find("would be written twice; name another output"),
              std::string::npos);
  EXPECT_NE(refusal({file("raw", "a.mkv"), file("overlay", "a_cam1.mkv")}).find("written twice"),
            std::string::npos);
  const output::OutputSpec stream{.kind = "stream", .target = "-"};
  EXPECT_EQ(refusal({stream, stream}), "--stream '-': standard output can hold one stream");
  EXPECT_EQ(refusal({stream}, "run", "--control -"),
            "--stream - and --control - both write to standard output: leave one out");
  EXPECT_THROW(
      output::checkRecording(file("raw", "t.mkv"), std::vector{file("overlay", "t_cam0.mkv")}, 2),
      UsageError);
}

TEST_F(FormatsTest, TheNameOfARecordingTellsItsKind) {
  const auto kindOf = [](const std::string& file) { return output::recordingSpec(file).kind; };
  EXPECT_EQ(kindOf("a.csv"), "tracks");
  EXPECT_EQ(kindOf("a.trackmate.csv"), "tracks");
  EXPECT_EQ(kindOf("/dev/null"), "tracks");
  EXPECT_EQ(kindOf("a.mp4"), "overlay");
  EXPECT_EQ(kindOf("a.mkv"), "overlay");
  EXPECT_EQ(kindOf("a.raw.mkv"), "raw");
  EXPECT_EQ(kindOf("a.points.csv"), "points");
  EXPECT_EQ(kindOf("a.points.jsonl"), "points");
  EXPECT_EQ(kindOf("a.c3d"), "points");
  EXPECT_EQ(kindOf("a.motive.csv"), "points");
  EXPECT_EQ(kindOf("a.qtm.tsv"), "points");
  EXPECT_EQ(kindOf("a.tsv"), "tracks");
  EXPECT_EQ(kindOf("a.poses.csv"), "poses");
  EXPECT_EQ(kindOf("a.poses.motive.csv"), "poses");
  EXPECT_THROW(output::recordingSpec("a.txt"), UsageError);
}

TEST_F(FormatsTest, EachFormatOfPointsAndPosesIsInTheListsOfTheWindow) {
  const auto namesOf = [](const std::vector<output::OutputChoice>& choices) {
    std::set<std::string> names, suffixes;
    for (const output::OutputChoice& choice : choices) {
      names.insert(choice.name);
      EXPECT_TRUE(suffixes.insert(choice.suffix).second) << choice.suffix << " is there twice";
    }
    return names;
  };
  const auto without = namesOf(output::exportChoices({}));
  const auto points = namesOf(output::exportChoices({.points = true}));
  const auto both = namesOf(output::exportChoices({.points = true, .poses = true}));
  std::set<std::string> expected = without;
  for (const char* name : {"csv", "jsonl", "wide", "c3d", "trc", "motive", "qtm"})
    expected.insert(std::string("points ") + name);
  EXPECT_EQ(points, expected);
  for (const char* name : {"csv", "jsonl", "wide", "motive"})
    expected.insert(std::string("bodies ") + name);
  EXPECT_EQ(both, expected);
  for (const output::OutputChoice& choice :
       output::recordingChoices({.points = true, .poses = true}))
    EXPECT_EQ(output::recordingSpec("take" + choice.suffix).kind, choice.spec.kind);
}

TEST_F(FormatsTest, OnlyChoicesThatAFormatLeavesReachIt) {
  const output::TakeOptions all{.up = output::UpAxis::y, .metres = true, .numbered = true};
  for (const output::OutputChoice& choice :
       output::exportChoices({.points = true, .poses = true})) {
    output::OutputSpec spec = choice.spec;
    spec.target = "take" + choice.suffix;
    spec.options.take = output::allowedOptions(all, choice);
    EXPECT_NO_THROW(output::outputKind(spec.kind).check(spec)) << choice.name;
    EXPECT_EQ(spec.options.take.up.has_value(), choice.take && choice.take->spools) << choice.name;
  }
}

/// Returns the first line of the kind of file: the names of the columns that all of its files have.
template <class Table>
std::string firstLine() {
  std::string line;
  for (const auto& column : Table::columns())
    if (column.use == output::ColumnUse::always)
      line += (line.empty() ? "" : ",") + std::string(column.name);
  return line;
}

/// Returns the columns of a table as docs/formats.md has them. Neighbours with one meaning share a
/// row.
template <class Table>
std::string markdownOf() {
  std::string text = "|column |unit |meaning|\n|---|---|---|\n";
  const auto columns = Table::columns();
  for (size_t i = 0; i < columns.size(); ++i) {
    std::string names = fmt::format("`{}`", columns[i].name);
    for (; i + 1 < columns.size() && columns[i + 1].help == columns[i].help; ++i)
      names += fmt::format(", `{}`", columns[i + 1].name);
    text += fmt::format("|{} |{} |{}|\n", names, columns[i].unit, columns[i].help);
  }
  return text;
}

TEST(Tables, AreDocumentedAsTheyAre) {
  const std::string text = load(GLINT_DOCS "/formats.md");
  for (const auto& table :
       {markdownOf<output::TracksTable>(), markdownOf<output::DetectionsTable>(),
        markdownOf<output::RejectedTable>(), markdownOf<output::StatsTable>(),
        markdownOf<output::PointsTable>(), markdownOf<output::PosesTable>(),
        markdownOf<output::RejectedPointsTable>()}) {
    std::istringstream rows(table);
    for (std::string row; std::getline(rows, row);)
      EXPECT_NE(text.find("\n" + row + "\n"), std::string::npos)
          << "docs/formats.md lacks this row: " << row;
  }
  for (const std::string& line :
       {firstLine<output::TracksTable>(), firstLine<output::DetectionsTable>(),
        firstLine<output::RejectedTable>(), firstLine<output::StatsTable>(),
        firstLine<output::PointsTable>(), firstLine<output::PosesTable>(),
        firstLine<output::RejectedPointsTable>()})
    EXPECT_NE(text.find("\n" + line + "\n"), std::string::npos) << "docs/formats.md lacks " << line;
  EXPECT_EQ(output::columnOf(output::TracksTable::columns(), "x").unit, "px");
}

}  // namespace
}  // namespace glint
