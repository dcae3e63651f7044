// Tests the file NAME.glint.json: it is written and read back, and faulty files are refused.
#include "app/output/edit/edits_file.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/error.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

using test::Folder;

constexpr const char* kEditsFile = "film.glint.json";

/// Returns the sentence with which a file of these bytes is refused, or an empty string if it is
/// accepted.
std::string refusalOf(const std::string& bytes) {
  try {
    output::parseEdits(bytes, kEditsFile);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

std::string edit(const std::string& text) {
  return R"({"glint_edits":1,"edits":[)" + text + "]}";
}

std::string measure(const std::string& text) {
  return R"({"glint_edits":1,"edits":[],"measures":[)" + text + "]}";
}

output::TrackEdits example() {
  output::TrackEdits all;
  const output::TrackAnchor a{CameraIndex(1), FrameNumber(12), 103.25, -0.5};
  const output::TrackAnchor b{CameraIndex(1), FrameNumber(40), 7, 8.125};
  all.edits = {{.kind = output::EditKind::rename, .at = a, .name = "linke Hand, \"außen\""},
               {.kind = output::EditKind::hide, .at = b},
               {.kind = output::EditKind::show, .at = b},
               {.kind = output::EditKind::remove, .at = b},
               {.kind = output::EditKind::split, .at = a},
               {.kind = output::EditKind::join, .at = a, .with = b},
               {.kind = output::EditKind::swap, .at = a, .with = b}};
  all.mmPerPx[CameraIndex(1)] = 0.125;
  all.measures = {
      {.kind = output::MeasureKind::distance,
       .camera = CameraIndex(1),
       .points = {{3.5, -0.25}, {103.25, -0.5, FrameNumber(12)}}},
      {.kind = output::MeasureKind::angle, .camera = {}, .points = {{0, 0}, {1, 0}, {1, 1}}}};
  return all;
}

TEST(EditsFile, WhatIsWrittenIsRead) {
  const Folder folder;
  output::writeEdits(example(), folder / kEditsFile);
  EXPECT_EQ(output::readEdits(folder / kEditsFile), example());
  EXPECT_EQ(output::parseEdits(output::printEdits({}), "x"), output::TrackEdits());
}

TEST(EditsFile, KeysOfALaterGlintStay) {
  const std::string text =
      R"({"glint_edits":1,"edits":[{"edit":"hide","why":"noise","at":)"
      R"({"camera":0,"frame":3,"x":1,"y":2}}],"bones":[[1,2]],"measures":[{"measure":"distance",)"
      R"("camera":0,"points":[{"x":0,"y":0},{"x":1,"y":2}],"pen":"red"}]})";
  const output::TrackEdits read = output::parseEdits(text, kEditsFile);
  EXPECT_EQ(read.edits.size(), 1);
  const std::string again = output::printEdits(read);
  EXPECT_NE(again.find("\"bones\""), std::string::npos);
  EXPECT_NE(again.find("\"noise\""), std::string::npos);
  EXPECT_NE(again.find("\"pen\""), std::string::npos);
  EXPECT_EQ(output::parseEdits(again, kEditsFile), read);
}

TEST(EditsFile, EveryFaultIsOneSentenceWithTheFile) {
  const std::string at = R"("at":{"camera":0,"frame":3,"x":1,"y":2})";
  const std::vector<std::pair<std::string, std::string>> faults{
      {"", "it is not JSON"},
      {"{\"glint_edits\":1,\"edits\":[", "it is not JSON"},
      {"\xff", "it is not JSON"},
      {"[]", "it is not an object"},
      {R"({"glint_edits":1,"edits":[],"deep":)" + std::string(2'000'000, '['), "nested deeper"},
      {"{}", "'glint_edits' is missing"},
      {R"({"glint_edits":2,"edits":[]})", "version 2, and this Glint reads version 1"},
      {R"({"glint_edits":"1","edits":[]})", "'glint_edits' is not a number"},
      {R"({"glint_edits":1})", "'edits' is missing"},
      {R"({"glint_edits":1,"edits":{}})", "'edits' is not a list"},
      {edit("7"), "edit 1: it is not an object"},
      {edit(R"({"edit":"hide"})"), "edit 1: 'at' is missing"},
      {edit(R"({"edit":"paint",)" + at + "}"), "there is no edit 'paint'"},
      {edit(R"({"edit":5,)" + at + "}"), "'edit' is not a text"},
      {edit(R"({"edit":"rename",)" + at + "}"), "'name' is missing"},
      {edit(R"({"edit":"rename","name":"a\nb",)" + at + "}"), "control characters"},
      {edit(R"({"edit":"rename","name":")" + std::string(201, 'a') + "\"," + at + "}"), "longer"},
      {edit(R"({"edit":"join",)" + at + "}"), "'with' is missing"},
      {edit(R"({"edit":"hide","at":{"camera":0,"frame":-3,"x":1,"y":2}})"), "'frame' is not"},
      {edit(R"({"edit":"hide","at":{"camera":0,"frame":3.5,"x":1,"y":2}})"), "'frame' is not"},
      {edit(R"({"edit":"hide","at":{"camera":0,"frame":3,"x":null,"y":2}})"), "'x' is not"},
      {edit(R"({"edit":"hide","at":{"camera":0,"frame":3,"x":1e999,"y":2}})"), "not JSON"},
      {R"({"glint_edits":1,"edits":[],"scales":[{"camera":0,"mm_per_px":0}]})", "not above 0"},
      {R"({"glint_edits":1,"edits":[],"scales":3})", "'scales' is not a list"},
      {measure("7"), "measure 1: it is not an object"},
      {measure(R"({"measure":"area","camera":0,"points":[]})"), "there is no measure 'area'"},
      {measure(R"({"measure":"angle","camera":0,"points":[{"x":0,"y":0}]})"), "not a list of 3"},
      {measure(R"({"measure":"distance","camera":0,"points":[{"x":0,"y":0},{"x":0}]})"),
       "'y' is missing"},
      {measure(R"({"measure":"distance","camera":0,"points":[{"x":0,"y":0},)"
               R"({"x":0,"y":0,"frame":-1}]})"),
       "'frame' is not"},
      {R"({"glint_edits":1,"edits":[],"measures":3})", "'measures' is not a list"}};
  for (const auto& [bytes, part] : faults) {
    const std::string refusal = refusalOf(bytes);
    EXPECT_NE(refusal.find(part), std::string::npos) << bytes << "\n" << refusal;
    EXPECT_EQ(refusal.find("'film.glint.json'"), 0) << refusal;
    EXPECT_EQ(refusal.find('\n'), std::string::npos) << refusal;
  }
}

TEST(EditsFile, AFileThatIsNotThereIsNamed) {
  const Folder folder;
  EXPECT_THROW(output::readEdits(folder / "none.json"), UsageError);
  EXPECT_THROW(output::readEdits(folder.path().string()), UsageError);
}

TEST(EditsFile, ItsPlaceIsBesideTheRecording) {
  const Folder folder;
  std::ofstream(folder / "film.raw.mkv") << "x";
  std::filesystem::create_directory(folder / "stills");
  EXPECT_EQ(output::editsPath(folder / "film.raw.mkv"), folder / "film.raw.glint.json");
  EXPECT_EQ(output::editsPath(folder / "stills/"), folder / "stills.glint.json");
  EXPECT_EQ(output::editsPath(folder / "stills"), folder / "stills.glint.json");
  EXPECT_EQ(output::editsPath(folder / "stills?fps=5"), folder / "stills.glint.json");
  EXPECT_EQ(output::editsPath("file:" + (folder / "film.raw.mkv")), folder / "film.raw.glint.json");
  EXPECT_EQ(output::editsPath(folder / "stills/frame_%04d.png"),
            folder / "stills/frame_%04d.glint.json");
  for (const char* none : {"", "synth:dancer", "rtsp://camera/1", "/dev/video0", "/dev/stdin", "-"})
    EXPECT_EQ(output::editsPath(none), "") << none;
}

TEST(EditNames, AreTextOfOneLine) {
  EXPECT_TRUE(output::canBeName("left hand, außen ✋"));
  EXPECT_TRUE(output::canBeName(""));
  for (const char* none : {"a\tb", "\x7f", "\xff", "\xc3", "\x80"})
    EXPECT_FALSE(output::canBeName(none));
}

TEST(EditWords, SayWhatAndWhere) {
  EXPECT_EQ(output::wordsOf(example().edits[0], 1),
            "rename to 'linke Hand, \"außen\"', frame 12 at 103.2, -0.5");
  EXPECT_EQ(output::wordsOf(example().edits[5], 2),
            "join, camera 1, frame 12 at 103.2, -0.5 and camera 1, frame 40 at 7.0, 8.1");
  const auto counted = [](const output::TrackAnchor& at) {
    return fmt::format("set {}", at.frame - 2);
  };
  EXPECT_EQ(output::wordsOf(example().edits[0], 1, counted),
            "rename to 'linke Hand, \"außen\"', set 10 at 103.2, -0.5");
  const std::vector<TrackId> two{TrackId(3), TrackId(7)};
  const output::TrackEdit swap{.kind = output::EditKind::swap,
                               .at = {.camera = {}, .frame = FrameNumber(9)}};
  EXPECT_EQ(output::wordsOf(swap, two), "swap 3 and 7 from frame 9");
  EXPECT_EQ(output::wordsOf(swap, two, counted), "swap 3 and 7 from set 7");
}

}  // namespace
}  // namespace glint
