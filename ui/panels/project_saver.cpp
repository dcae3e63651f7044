#include "ui/panels/project_saver.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "app/capture/source/source_kinds.h"
#include "app/capture/source/source_options.h"
#include "app/output/edit/edits_file.h"
#include "app/shell/desk/folder_list.h"
#include "app/shell/desk/project.h"
#include "config/error.h"
#include "ui/model/looks_memory.h"

namespace glint::ui {
namespace {

namespace fs = std::filesystem;

/// Returns the name of a new project for the sources: that of the first recording, with a number if
/// there is such a file already.
std::string newProject(const std::vector<Address>& sources) {
  fs::path name = "session";
  const std::string first = capture::pathOf(sources.front().shown());
  if (capture::isPathSource(first) && fs::exists(first))
    name = fs::absolute(first).lexically_normal().replace_extension();
  return shell::newFileName(name.string() + ".glint", ".glint");
}

/// Returns all that belongs to the open sources.
shell::Project projectOf(const Context& context) {
  const WindowModel& model = context.model;
  const shell::WindowTask& task = model.task;
  const std::string& edits = model.editor.path();
  shell::Project project{
      .sources = task.sources,
      .settings = model.draft.settings(),
      .rig = task.rigFile,
      .bodies = task.bodies ? task.bodiesFile : "",
      .edits = edits == output::editsPath(task.sources.front().shown()) ? "" : edits,
      .view = {}};
  shell::ProjectView& view = project.view;
  if (model.state().canSeek) {
    view.frame = model.player.frame();
    view.in = model.player.in().value();
    if (model.player.out()) view.out = model.player.out()->value();
  }
  view.bookmarks.assign(context.viewState.bookmarks.begin(), context.viewState.bookmarks.end());
  rememberLooks(context.layout, context.viewState, view.looks);
  return project;
}

}  // namespace

void ProjectSaver::save() {
  if (context_.model.task.empty) return context_.messages.say("open a recording or a camera first");
  try {
    const std::string file = file_.empty() ? newProject(context_.model.task.sources) : file_;
    shell::writeProject(projectOf(context_), file);
    file_ = file;
    context_.model.draft.noteSaved();
    context_.messages.note("project saved in " + file);
  } catch (const std::exception& error) {
    context_.messages.fail(error.what());
  }
}

void ProjectSaver::describe(nlohmann::json& to) const {
  to["project"] = file_;
}

}  // namespace glint::ui
