#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/base/numbered_name.h"
#include "app/base/paths.h"
#include "app/base/suffix.h"
#include "app/capture/synth/options.h"
#include "app/capture/synth/scene.h"
#include "app/motion/rig/rig_file.h"
#include "app/motion/space/bodies_file.h"
#include "app/output/pictures/image_writer.h"
#include "app/output/pictures/video_writer.h"
#include "app/output/sinks/row_file.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/process.h"
#include "config/error.h"

namespace glint::shell {
namespace {

namespace fs = std::filesystem;

struct SynthCommand {
  std::string scene, output, truth, truth3d, poses, bodies, rig;
  std::optional<int> quality;
};

/// Returns the names of the frames in a folder of frames.
base::NumberedName framesIn(const fs::path& folder) {
  return {(folder / "frame_").string(), ".png", 6};
}

/// A writer of the frames of one camera: into a video, or into numbered PNG files in a folder.
class ClipWriter {
 public:
  ClipWriter(const fs::path& path, const gpu::ImageFormat& format, double fps,
             std::optional<int> quality)
      : path_(path), fps_(fps) {
    if (path.has_extension()) {
      video_ = std::make_unique<output::VideoWriter>(path.string(), format, fps,
                                                     output::VideoOptions{quality});
      return;
    }
    base::makeFolder(path);
  }

  void write(uint64_t frame, const gpu::ImageView& image) {
    if (video_) return video_->write(image, static_cast<double>(frame) / fps_);
    output::writeImage(framesIn(path_).at(frame), image);
  }

  void finish() {
    if (video_) video_->finish();
  }

 private:
  fs::path path_;
  double fps_;
  std::unique_ptr<output::VideoWriter> video_;
};

/// A writer of a table of the truth. It writes nothing if no file is wanted.
class TruthWriter {
 public:
  using Header = void (*)(std::ostream&);
  using Rows = void (*)(const capture::Scene&, uint64_t, std::ostream&);

  TruthWriter(const std::string& path, Header header, Rows rows) : rows_(rows) {
    if (path.empty()) return;
    file_.emplace(path);
    std::ostringstream text;
    header(text);
    file_->add(text.str());
  }

  void write(const capture::Scene& scene, uint64_t frame) {
    if (!file_) return;
    std::ostringstream text;
    rows_(scene, frame, text);
    file_->add(text.str());
  }

  void finish() {
    if (file_) file_->finish();
  }

 private:
  Rows rows_;
  std::optional<output::RowFile> file_;
};

/// Writes the cameras of the scene as a rig, exactly as the scene has them.
void writeSceneRig(const SynthCommand& command, capture::SynthOptions options) {
  if (command.rig.empty()) return;
  motion::RigFile file;
  file.method = fmt::format("the truth of {}", command.scene);
  file.rig.exact = true;
  for (options.camera = 0; options.camera < options.cameras; ++options.camera)
    file.rig.cameras.push_back(*capture::makeScene(options)->camera());
  motion::writeRig(command.rig, file);
}

/// Writes the bodies of the scene, for `--bodies` of `glint track`.
void writeSceneBodies(const SynthCommand& command, const capture::SynthOptions& options) {
  if (command.bodies.empty()) return;
  output::RowFile file(command.bodies);
  file.add(motion::bodiesText(capture::makeScene(options)->bodies()));
  file.finish();
}

/// The truth in space, for all cameras together.
struct SceneTruth {
  TruthWriter points, poses;
};

void writeCamera(const SynthCommand& command, const capture::SynthOptions& options,
                 TruthWriter& truth, SceneTruth* inSpace, const std::atomic<bool>& stop,
                 std::FILE* out) {
  const auto scene = capture::makeScene(options);
  const gpu::ImageFormat& format = scene->format();
  capture::FrameBuffer buffer(format);
  const gpu::ImageView image = buffer.view();
  const auto path = base::cameraPath(command.output, options.camera, options.cameras);
  ClipWriter clip(path, format, options.fps, command.quality);
  uint64_t frame = 0;
  for (; frame < options.frames && !stop; ++frame) {
    scene->render(frame, image);
    clip.write(frame, image);
    truth.write(*scene, frame);
    if (inSpace == nullptr) continue;
    inSpace->points.write(*scene, frame);
    inSpace->poses.write(*scene, frame);
  }
  clip.finish();
  printText(out, "{} frames of {}x{} -> {}{}\n", frame, format.width, format.height, path.string(),
            stop ? ", stopped by a signal" : "");
}

/// Everything that is refused is refused here, before a file is touched.
output::RunFiles check(const SynthCommand& command, capture::SynthOptions options) {
  output::RunFiles files({});
  if (capture::makeScene(options)->camera() == nullptr && !(command.truth3d + command.rig).empty())
    throw UsageError("--truth3d and --rig: the scene '{}' is flat", command.scene);
  if (capture::makeScene(options)->bodies().empty() && !(command.poses + command.bodies).empty())
    throw UsageError("--truth-poses and --bodies: the scene '{}' has no bodies", command.scene);
  for (options.camera = 0; options.camera < options.cameras; ++options.camera) {
    const fs::path path = base::cameraPath(command.output, options.camera, options.cameras);
    const auto scene = capture::makeScene(options);
    if (path.has_extension()) output::checkVideo(path.string(), scene->format(), {command.quality});
    if (path.has_extension()) {
      files.writeInPlace(path.string());
    } else {
      files.writeFolder(path.string());
      files.write(framesIn(path));
    }
  }
  for (const std::string& table : {command.truth, command.truth3d, command.poses, command.bodies})
    files.writeInPlace(table);
  files.write(command.rig);
  for (const std::string& table : {command.truth, command.truth3d, command.poses})
    base::checkSuffix(table, "the table", ".csv");
  base::checkSuffix(command.bodies, "the bodies", ".toml");
  base::checkSuffix(command.rig, "the rig", ".toml");
  return files;
}

void synthesize(const SynthCommand& command) {
  const std::atomic<bool>& stop = stopOnSignal();
  capture::SynthOptions options = capture::parseSynth(
      capture::isSynth(command.scene) ? command.scene : "synth:" + command.scene);
  const int cameras = std::max(options.cameras, 1);
  options.cameras = cameras;
  const output::RunFiles files = check(command, options);
  writeSceneRig(command, options);
  writeSceneBodies(command, options);
  TruthWriter truth(command.truth, capture::writeTruthHeader, capture::writeTruth);
  SceneTruth inSpace{{command.truth3d, capture::writeTruth3dHeader, capture::writeTruth3d},
                     {command.poses, capture::writeTruthPosesHeader, capture::writeTruthPoses}};
  for (options.camera = 0; options.camera < cameras && !stop; ++options.camera)
    writeCamera(command, options, truth, options.camera == 0 ? &inSpace : nullptr, stop,
                files.words());
  truth.finish();
  inSpace.points.finish();
  inSpace.poses.finish();
}

std::string sceneHelp() {
  std::string text = "Options of a scene, such as dancer?frames=60&seed=2:\n";
  for (const capture::SynthOptionInfo& option : capture::listSynthOptions()) {
    std::string defaults;
    for (size_t i = 0; i < option.defaults.size(); ++i) {
      if (option.defaults[i].empty()) continue;
      defaults += fmt::format("{}{} {}", defaults.empty() ? "" : ", ", capture::kSynthSceneNames[i],
                              option.defaults[i]);
    }
    text += fmt::format("  {:<12}{} [{}{}{}] (default: {})\n", option.key, option.help,
                        option.allowed, option.unit.empty() ? "" : " ", option.unit, defaults);
  }
  return text;
}

}  // namespace

void addSynthCommand(CLI::App& app) {
  const auto options = std::make_shared<SynthCommand>();
  CLI::App* command = app.add_subcommand("synth", "Make a test clip with its exact truth");
  addValue(*command, "scene", options->scene,
           "Scene: dancer, spots, crossing, wand or board, with options: dancer?frames=60",
           "SCENE[?KEY=VALUE&...]")
      ->required();
  addFile(*command, "-o,--output", options->output,
          "Video (.mp4, .avi, lossless .mkv), or without a suffix a folder of PNG "
          "files\nSeveral cameras write one each, with _camN in its name.",
          "FILE|FOLDER")
      ->required();
  addFile(*command, "--truth", options->truth, "True position of every marker, as CSV");
  addFile(*command, "--truth3d", options->truth3d,
          "True position of every marker in space, mm, as CSV; for dancer, wand and board");
  addFile(*command, "--truth-poses", options->poses,
          "True position and attitude of every rigid body, as CSV; for dancer");
  addFile(*command, "--bodies", options->bodies,
          "Rigid bodies of the scene, for `glint track --bodies`; for dancer");
  addFile(*command, "--rig", options->rig,
          "Rig of the scene's cameras, as `glint calibrate` writes it");
  addValue(*command, "--quality", options->quality, "Quality: H.264 CRF 0-51, MJPEG quantiser 1-31",
           "N", CLI::Range(0, 51));
  command->footer(sceneHelp);
  command->callback([options] { synthesize(*options); });
}

}  // namespace glint::shell
