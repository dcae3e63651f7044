// Feeds damaged input to every parser of files and texts, under the address sanitizer.
// fuzz TARGET CORPUS [--runs N] [--seconds N] [--seed N]
//
// A parser may accept an input or refuse it with an Error. Anything else, a sanitizer's report, or
// 20 s of processor time for one input ends the program. The input is then in the working folder,
// as fuzz-TARGET.input. The same seed and number of runs give the same inputs.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include "app/capture/filter/colour_table.h"
#include "app/capture/images/image_file.h"
#include "app/capture/images/image_source.h"
#include "app/capture/mask/mask.h"
#include "app/capture/source/retimed_source.h"
#include "app/capture/source/source.h"
#include "app/capture/source/source_kinds.h"
#include "app/capture/synth/options.h"
#include "app/capture/video/cine_times.h"
#include "app/capture/video/container_walk.h"
#include "app/capture/video/stored_frames.h"
#include "app/motion/calibrate/points_table.h"
#include "app/motion/calibrate/solve.h"
#include "app/motion/labels/pickled_names.h"
#include "app/motion/labels/pose_files.h"
#include "app/motion/rig/rig_file.h"
#include "app/motion/rig/rig_import.h"
#include "app/motion/space/bodies_file.h"
#include "app/motion/space/body_doubts.h"
#include "app/motion/track/samples.h"
#include "app/output/edit/edited_tracks.h"
#include "app/output/edit/edits_file.h"
#include "app/output/imports/detection_import.h"
#include "app/output/imports/track_import.h"
#include "app/output/report/page.h"
#include "app/output/report/run.h"
#include "app/output/streams/natnet_packets.h"
#include "app/output/streams/udp.h"
#include "app/output/takes/survey.h"
#include "app/output/takes/take_formats.h"
#include "app/study/eval/score.h"
#include "app/study/volume/volume_files.h"
#include "config/error.h"
#include "config/filter_glsl.h"
#include "config/filter_head.h"
#include "config/printable.h"
#include "config/secrets.h"
#include "config/settings.h"

namespace {

namespace fs = std::filesystem;
using namespace glint;

constexpr int kPatience = 20;  // The limit of processor time for one input, s.

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "fuzz: %s\n", why.c_str());
  std::exit(1);
}

void writeFile(const std::string& path, const std::string& bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    fail("cannot write " + path);
  ::close(file);
}

std::string readFile(const fs::path& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) fail("cannot read " + path.string());
  std::string bytes(fs::file_size(path), '\0');
  const size_t read = std::fread(bytes.data(), 1, bytes.size(), file);
  std::fclose(file);
  if (read != bytes.size()) fail("cannot read " + path.string());
  return bytes;
}

/// Fails unless the settings, written to a file, read back as the same.
void checkSettings(const Settings& settings) {
  std::stringstream text;
  writeToml(settings, text);
  writeFile("written.toml", text.str());
  Settings again;
  try {
    readToml(again, "written.toml");
  } catch (const Error& error) {
    fail(std::string("settings do not read back: ") + error.what());
  }
  const auto a = listSettings(settings), b = listSettings(again);
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].value != b[i].value) fail(a[i].key + " reads back as " + b[i].value);
}

/// A function that parses the input, which it gets as a text and as the path of a file that holds
/// it. It throws Error if it refuses the input.
using Parser = std::function<void(const std::string& text, const std::string& path)>;

constexpr const char* kTable =
    "camera,frame,time_s,track,state,x,y,sigma_x,sigma_y\n"
    "0,0,0,1,measured,1,1,0.1,0.1\n0,1,0.1,1,predicted,2,1,0.1,0.1\n";

void makePageOf(const std::string& tracks, const std::string& record, const std::string& stats) {
  writeFile("t.csv", tracks);
  writeFile("t.json", record);
  if (!stats.empty()) writeFile("s.csv", stats);
  const auto page =
      output::report::makePage(output::report::readRun("t.csv", stats.empty() ? "" : "s.csv"));
  if (!page.ends_with("</html>\n")) fail("the page has no end");
}

/// Applies edits to three tracks over 40 frames, 10 px apart. The second track lacks frames 10 to
/// 14.
void applyToPlainTracks(const output::TrackEdits& edits) {
  output::TracksToEdit tracks{.stretches = {{TrackId(1), FrameNumber(0), FrameNumber(39)},
                                            {TrackId(2), FrameNumber(0), FrameNumber(9)},
                                            {TrackId(2), FrameNumber(15), FrameNumber(39)},
                                            {TrackId(3), FrameNumber(0), FrameNumber(39)}},
                              .at = {}};
  const auto isThere = [](uint64_t track, uint64_t frame) {
    return frame < 40 && (track != 2 || frame < 10 || frame > 14);
  };
  tracks.at = [&](CameraIndex camera, FrameNumber frame) {
    std::vector<output::TrackSpot> spots;
    for (uint64_t track = 1; track <= 3; ++track)
      if (camera == CameraIndex() && isThere(track, frame.value()))
        spots.push_back({TrackId(track), 10.0 * static_cast<double>(track), 5});
    return spots;
  };
  const output::EditedTracks edited = output::apply(edits, tracks);
  for (const output::Unmatched& one : edited.unmatched())
    if (one.edit >= edits.edits.size() || one.why.empty()) fail("an edit without a reason");
  for (uint64_t frame = 0; frame < 40; ++frame) {
    std::set<TrackId> owners;
    for (uint64_t track = 1; track <= 3; ++track) {
      const TrackId owner = edited.of(TrackId(track), FrameNumber(frame));
      if (isThere(track, frame) && owner != TrackId() && !owners.insert(owner).second)
        fail("two rows of a frame belong to one track");
    }
  }
}

/// Takes the frames of a take, which must rise and hold finite places.
class CheckedTake : public output::TakeWriter {
 public:
  void add(const output::TakeFrame& frame) override {
    if (any_ && frame.frame != last_ + 1) fail("a frame is missing");
    any_ = true;
    last_ = frame.frame;
    for (const motion::SpaceRow& row : frame.points)
      if (!row.at.allFinite() || output::columnName(row).empty()) fail("a point nowhere");
    for (const motion::PoseRow& row : frame.poses)
      if (!row.at.allFinite() || !(row.attitude.norm() > 0.9)) fail("a pose nowhere");
  }
  void finish() override {}

 private:
  bool any_ = false;
  uint64_t last_ = 0;
};

/// Reads a take twice, as a conversion does.
template <std::unique_ptr<output::TakeReader> (*read)(const std::string& path)>
void readTake(const std::string&, const std::string& path) {
  output::TakeSurvey survey = output::surveyTake(*output::withPlainNames(read(path), path));
  for (const output::TakeFormat& format : output::takeFormats()) {
    survey.names = output::fitNames(survey.info.markers, format.names);
    if (std::set<std::string>(survey.names.begin(), survey.names.end()).size() !=
        survey.info.markers.size())
      fail("two markers of one name");
  }
  if (!(survey.rate > 0)) fail("a take without a rate");
  CheckedTake taken;
  output::copyTake(*output::withPlainNames(read(path), path), survey, output::UpAxis::y, taken);
}

/// Reads tracks of another program, and completes them as a conversion does.
template <output::ImportedTracks (*read)(const std::string& path)>
void importTracks(const std::string&, const std::string& path) {
  output::ImportedTracks tracks = read(path);
  output::completeTracks(tracks, path, 0);
  if (!(tracks.rate > 0)) fail("tracks without a rate");
  for (const auto& rows : tracks.cameras)
    for (const motion::TrackRow& row : rows)
      if (!std::isfinite(row.x) || !std::isfinite(row.y) || !std::isfinite(row.time) ||
          row.track == TrackId())
        fail("a row without a place, a time or an id");
}

/// Writes a rig of another program as rig.toml, which must hold it.
void readAgain(const motion::RigFile& file) {
  const motion::RigFile again = motion::readRigText(motion::rigText(file), "written.toml");
  for (size_t c = 0; c < file.rig.cameras.size(); ++c)
    if (again.rig.cameras.at(c).lens.numbers() != file.rig.cameras[c].lens.numbers() ||
        again.rig.cameras[c].pose.translation != file.rig.cameras[c].pose.translation)
      fail("another rig");
}

/// Opens a recording, reads its first frames, and reads the last of them again.
void readRecording(const std::string& path) {
  const auto source = capture::openSource(Address(path));
  capture::FrameBuffer frame(source->format());
  if (source->summary().frames.value_or(0) == 0) fail("a recording of nothing");
  constexpr uint64_t kMostFrames = 20;
  uint64_t read = 0;
  while (read < kMostFrames && source->read(frame.view()).state != gpu::CameraState::ended) ++read;
  if (read == 0) fail("a recording without a frame");
  source->seek(FrameNumber(read - 1));
  if (source->read(frame.view()).state == gpu::CameraState::ended) fail("a seek to the end");
}

const std::map<std::string, Parser> kParsers{
    {"tracks", importTracks<output::importGlintTracks>},
    {"trackpy", importTracks<output::importTrackpy>},
    {"trackmate", importTracks<output::importTrackMate>},
    {"trackmatexml", importTracks<output::importTrackMateXml>},
    {"kinovea", importTracks<output::importKinovea>},
    {"markers",
     [](const std::string&, const std::string& path) {
       for (const auto& frames : output::importDetections(path, {}, 0).cameras)
         for (const auto& [frame, markers] : frames)
           for (const motion::Observation& seen : markers.seen)
             if (!std::isfinite(seen.x) || !(seen.sigmaX > 0) || !std::isfinite(markers.time))
               fail("a marker nowhere");
     }},
    {"qtm2d", importTracks<output::importQtmTracks>},
    {"c3d", readTake<output::readC3d>},
    {"trc", readTake<output::readTrc>},
    {"motive", readTake<output::readMotive>},
    {"qtm", readTake<output::readQtm3d>},
    {"wide", readTake<output::readWideTable>},
    {"take", readTake<output::readPointsTable>},
    {"spool", readTake<output::readSpooledTake>},
    {"takejson", readTake<output::readJsonTake>},
    {"toml",
     [](const std::string&, const std::string& path) {
       Settings settings;
       readToml(settings, path);
       checkSettings(settings);
     }},
    {"set",
     [](const std::string& text, const std::string&) {
       Settings settings;
       setFromText(settings, text, "--set");
       checkSettings(settings);
     }},
    {"eval",
     [](const std::string& text, const std::string& path) {
       // The input holds both tables, separated by the first line that is "--".
       const size_t cut = std::min(text.find("\n--\n"), text.size());
       writeFile("truth.csv", text.substr(0, cut));
       writeFile("tracks.csv", cut == text.size() ? text : text.substr(cut + 4));
       (void)path;
       const auto result =
           study::score(motion::readTracks("tracks.csv"), motion::readTruth("truth.csv"));
       study::toTable(result);
       study::toJson(result);
     }},
    {"edits",
     [](const std::string& text, const std::string&) {
       const output::TrackEdits edits = output::parseEdits(text, "fuzzed.glint.json");
       if (output::parseEdits(output::printEdits(edits), "written.glint.json") != edits)
         fail("other edits");
       applyToPlainTracks(edits);
     }},
    {"rig",
     [](const std::string& text, const std::string&) {
       const std::string written = motion::rigText(motion::readRigText(text, "fuzzed.toml"));
       if (motion::rigText(motion::readRigText(written, "written.toml")) != written)
         fail("another rig");
     }},
    {"rigopencv", [](const std::string& text,
                     const std::string&) { readAgain(motion::readOpenCvRig(text, "fuzzed.yml")); }},
    {"rigqualisys",
     [](const std::string& text, const std::string&) {
       readAgain(motion::readQualisysRig(text, "fuzzed.qca.txt"));
     }},
    {"rigcolmap",  // both files, with a line between them
     [](const std::string& text, const std::string&) {
       const size_t cut = std::min(text.find("\n---\n"), text.size());
       readAgain(motion::readColmapRig(text.substr(0, cut),
                                       cut == text.size() ? "" : text.substr(cut + 5), "fuzzed"));
     }},
    {"pickle",
     [](const std::string& text, const std::string&) {
       for (const auto& names : motion::readPickledNames(text))
         for (const std::string& name : names)
           if (!isUtf8(name)) fail("a name that is not UTF-8");
     }},
    {"poses",
     [](const std::string&, const std::string& path) {
       if (!motion::isPoseFile(path)) return;
       const motion::PointTable table = motion::readPoses(path);
       for (const motion::PointRow& row : table.rows)
         if (!row.dot.at.allFinite() || row.label < 0 ||
             static_cast<size_t>(row.label) >= table.labels.size())
           fail("a dot nowhere");
     }},
    {"bodies",
     [](const std::string& text, const std::string&) {
       const auto bodies = motion::readBodiesText(text, "fuzzed.toml");
       const std::string written = motion::bodiesText(bodies);
       if (motion::bodiesText(motion::readBodiesText(written, "written.toml")) != written)
         fail("other bodies");
       if (bodies.size() < 9 && bodies[0].markers.size() < 9) motion::doubtsOf(bodies);
     }},
    {"points",
     [](const std::string&, const std::string& path) {
       const motion::LightRecording seen =
           motion::matchMoments(motion::readPoints(path), {{1280, 1024}}, {}, path);
       motion::CalibrationOptions options;
       options.target = motion::parseWand("500");
       if (seen.sizes.size() <= 4 &&
           !motion::calibrate(seen, options).rig.cameras[0].pose.centre().allFinite())
         fail("a camera nowhere");
     }},
    {"report", [](const std::string& text, const std::string&) { makePageOf(text, "{}", ""); }},
    {"stats", [](const std::string& text, const std::string&) { makePageOf(kTable, "{}", text); }},
    {"record", [](const std::string& text, const std::string&) { makePageOf(kTable, text, ""); }},
    {"mask",
     [](const std::string&, const std::string& path) {
       capture::loadMask(path, {16, 12, 1, 8});
     }},
    {"filter",
     [](const std::string& text, const std::string&) {
       const filters::Head head = filters::parseHead("fuzzed", text, "fuzzed.comp");
       const filters::Numbers numbers(head, {8, 3, 5, 4}, {});
       if (numbers.words().size() + filters::kBlockStart + head.tables.size() >
           filters::blockWords(head))
         fail("the block has no room for its numbers");
       if (head.passes.empty() && !head.point && !head.reduces && !head.crops)
         fail("a filter that does nothing");
       for (size_t pass = 0; pass < head.passes.size(); ++pass)
         if (filters::passSource(head, pass).empty()) fail("a kernel of nothing");
     }},
    {"cube",
     [](const std::string& text, const std::string&) {
       std::istringstream stream(text);
       const gpu::ColourTable table = capture::parseCube(stream, "fuzzed.cube");
       const size_t side = table.at(0), entries = table.at(1) == 1 ? side : side * side * side;
       if (table.size() != gpu::kColourTableStart + 3 * entries) fail("a table of another size");
     }},
    {"image",
     [](const std::string&, const std::string& path) {
       const cv::Mat image = capture::readImageFile(path);
       if (image.empty()) fail("an image of nothing");
     }},
    {"stack",
     [](const std::string& text, const std::string&) {
       writeFile("stack.tif", text);
       readRecording("stack.tif");
     }},
    {"fits",
     [](const std::string& text, const std::string&) {
       writeFile("cube.fits", text);
       readRecording("cube.fits");
     }},
    {"seq",
     [](const std::string& text, const std::string&) {
       writeFile("film.seq", text);
       if (capture::isNorpix("film.seq")) readRecording("film.seq");
     }},
    {"mraw",
     [](const std::string& text, const std::string&) {
       const std::string name = text.starts_with('#') ? "film.cih" : "film.cihx";
       fs::remove("film.cih");
       fs::remove("film.cihx");
       writeFile(name, text);
       writeFile("film.mraw", std::string(4096, 'x'));
       readRecording(name);
     }},
    {"times",
     [](const std::string&, const std::string& path) {
       const std::vector<double> times = capture::readTimesFile(path, "port_1.mkv");
       if (times.empty() || !std::ranges::is_sorted(times)) fail("times that do not rise");
     }},
    {"cine",
     [](const std::string&, const std::string& path) {
       if (!std::ranges::is_sorted(capture::cineTimes(path))) fail("times that do not rise");
     }},
    {"container",
     [](const std::string& text, const std::string& path) {
       for (const char* kind :
            {"mov",    "matroska", "avi", "asf", "mxf",       "gxf",          "apng", "gif",
             "mpegts", "mpeg",     "ogg", "flv", "nut",       "yuv4mpegpipe", "ivf",  "dv",
             "mjpeg",  "smjpeg",   "obu", "roq", "filmstrip", "mpjpeg",       "hls",  "fits"}) {
         const capture::FileEnd end = capture::containerEnd(path, kind);
         if (end.kind == capture::FileEnd::Kind::whole && end.at > text.size())
           fail(std::string(kind) + " ends behind the file");
       }
     }},
    {"secrets",
     [](const std::string& text, const std::string&) {
       const std::string shown = hideSecrets(text);
       if (hideSecrets(shown) != shown) fail("what is shown holds secrets");
       const bool isOne =
           text.find("://") != std::string::npos && shown != text && std::isalpha(text[0]) != 0;
       const Address address = HiddenText(text).addressOf(shown);
       if (isOne && text.find(':') == text.find("://") && address.isComplete() &&
           address.real() != text)
         fail("another address is opened");
       Address(text).hideIn(shown + text);
     }},
    {"volume",
     [](const std::string& text, const std::string&) {
       const bool numpy = text.starts_with("\x93NUMPY"), nrrd = text.starts_with("NRRD");
       const bool tiff = text.starts_with("II") || text.starts_with("MM");
       const std::string file = std::string("v") + (numpy  ? ".npy"
                                                    : nrrd ? ".nrrd"
                                                    : tiff ? ".tif"
                                                           : ".mha");
       writeFile(file, text);
       if (study::readVolume(file).bytes.empty()) fail("a volume of nothing");
     }},
    {"natnet",
     [](const std::string& text, const std::string&) {
       const auto request = output::parseNatnetRequest(text);
       if (!request) throw Error("it is not answered");
       if (text.size() < 4 || request->command.size() + 4 > text.size() ||
           request->command.find('\0') != std::string::npos)
         fail("the request is longer than its datagram");
       output::natnetVersionOf(request->command);
     }},
    {"source",
     [](const std::string& text, const std::string&) {
       // Only files and scenes are tried, because an address would be connected to.
       if (text.starts_with("synth:"))
         capture::parseSynth(text);
       else if (text.starts_with("osc:") || text.starts_with("udp:"))
         output::resolveUdp(text.substr(4), false, "--stream");
       else if (capture::isImageSpec(text))
         capture::openImages(text);
       else
         capture::parseSynth("synth:" + text);
     }},
};

/// A generator that damages texts and files: it changes bits, bytes, numbers and lines, and inserts
/// pieces of other inputs.
class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, uint64_t seed)
      : seeds_(std::move(seeds)), random_(seed) {}

  std::string next() {
    std::string input = seeds_[below(seeds_.size())];
    for (size_t n = 1 + below(6); n > 0; --n) mutate(input);
    // The limit in bytes. Larger inputs are slow, and have a test of their own.
    constexpr size_t kMost = 1 << 16;
    input.resize(std::min(input.size(), kMost));
    return input;
  }

 private:
  size_t below(size_t end) { return end == 0 ? 0 : random_() % end; }

  void mutate(std::string& input) {
    static const std::vector<std::string> kWords{"0",
                                                 "-1",
                                                 "1e308",
                                                 "-1e308",
                                                 "1e-308",
                                                 "nan",
                                                 "inf",
                                                 "4294967295",
                                                 "4294967296",
                                                 "18446744073709551615",
                                                 "-9223372036854775808",
                                                 "99999999999999999999",
                                                 "0x10",
                                                 "1_000",
                                                 ",",
                                                 ",,",
                                                 "\n",
                                                 "\r\n",
                                                 "\"",
                                                 "'",
                                                 "\"\"\"",
                                                 "'''",
                                                 "[",
                                                 "]",
                                                 "{",
                                                 "}",
                                                 "=",
                                                 ".",
                                                 "..",
                                                 "#",
                                                 "%d",
                                                 "%09d",
                                                 "?fps=",
                                                 "&",
                                                 "%",
                                                 "\\",
                                                 "\\u0000",
                                                 "\\ud800",
                                                 "true",
                                                 "null",
                                                 "\xff",
                                                 "\xc3\xa9",
                                                 "\xef\xbb\xbf",
                                                 std::string(1, '\0'),
                                                 std::string(300, '['),
                                                 std::string(300, 'a'),
                                                 "\x1b[31m"};
    const size_t at = below(input.size() + 1),
                 length = below(std::min<size_t>(input.size() - at, 64) + 1);
    switch (below(9)) {
      case 0:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(below(256));
        break;
      case 2:
        input.erase(at, length);
        break;
      case 3:
        input.insert(below(input.size() + 1), input.substr(at, length));
        break;
      case 4:
        input.insert(at, kWords[below(kWords.size())]);
        break;
      case 5:
        replaceNumber(input, at, kWords[below(kWords.size())]);
        break;
      case 6:
        input.resize(at);
        break;
      case 7: {
        const std::string& other = seeds_[below(seeds_.size())];
        const size_t from = below(other.size() + 1);
        input.insert(at, other, from, below(256));
        break;
      }
      default:  // A number of four bytes, as headers contain it, gets another value.
        for (size_t i = at; i < std::min(at + 4, input.size()); ++i)
          input[i] = static_cast<char>(below(3) == 0 ? below(256) : below(2) * 255);
    }
  }

  /// Replaces the first run of digits at or behind `at` by `word`.
  static void replaceNumber(std::string& input, size_t at, const std::string& word) {
    const size_t start = input.find_first_of("0123456789", at);
    if (start == std::string::npos) return;
    const size_t end = std::min(input.find_first_not_of("0123456789.", start), input.size());
    input.replace(start, end - start, word);
  }

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

std::vector<std::string> readCorpus(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) seeds.push_back(readFile(path));
  if (seeds.empty()) fail("no corpus in " + folder.string());
  return seeds;
}

/// Returns true if the input was accepted, and false if it was refused.
bool runOne(const Parser& target, const std::string& input, const std::string& path) {
  writeFile(path, input);
  const itimerval patience{{}, {kPatience, 0}};
  ::setitimer(ITIMER_PROF, &patience, nullptr);  // When the time is over, SIGPROF ends the program.
  try {
    target(input, path);
    return true;
  } catch (const Error& error) {
    if (std::strlen(error.what()) == 0) fail("a refusal without a sentence");
    return false;
  }
  // Any other exception ends the program.
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || !kParsers.contains(argv[1])) {
    std::string names;
    for (const auto& [name, target] : kParsers) names += " " + name;
    fail("usage: fuzz TARGET CORPUS [--runs N] [--seconds N] [--seed N]; the targets are" + names);
  }
  uint64_t runs = UINT64_MAX, seed = 1;
  time_t seconds = 0;
  for (int i = 3; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    const uint64_t value = std::stoull(argv[i + 1]);
    if (option == "--runs") runs = value;
    if (option == "--seconds") seconds = static_cast<time_t>(value);
    if (option == "--seed") seed = value;
  }
  const std::string name = argv[1];
  const auto seeds = readCorpus(fs::path(argv[2]) / name);
  const Parser& target = kParsers.at(name);
  const std::string path = "fuzz-" + name + ".input";
  for (const std::string& whole : seeds) {
    if (!runOne(target, whole, path)) fail("a file of the corpus is refused: " + path);
  }
  Mutator mutator(seeds, seed);
  const time_t end = std::time(nullptr) + seconds;
  uint64_t done = 0, taken = 0;
  for (; done < runs && (seconds == 0 || std::time(nullptr) < end); ++done)
    taken += runOne(target, mutator.next(), path) ? 1 : 0;
  std::printf("%s: %llu inputs, %llu of them taken, the others refused\n", name.c_str(),
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(taken));
  // Some inputs stay valid after a few bytes were damaged. If none was accepted, only the parser's
  // first check was tested.
  return done > 200 && taken == 0 ? 1 : 0;
}
