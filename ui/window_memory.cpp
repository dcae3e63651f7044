#include "ui/window_memory.h"

#include "ui/model/looks_memory.h"

namespace glint::ui {
namespace {

/// Puts the numbers, switches and texts of `from` into `to`, where they replace those of the same
/// name.
void takeFrom(const shell::Remembered& from, shell::Remembered& to) {
  for (const auto& [name, value] : from.numbers) to.numbers[name] = value;
  for (const auto& [name, value] : from.switches) to.switches[name] = value;
  for (const auto& [name, value] : from.texts) to.texts[name] = value;
}

}  // namespace

void WindowMemory::begin(const shell::WindowTask& task) {
  if (!task.view) return;
  history.reset();
  takeFrom(task.view->looks, saved);
  project = task.project;
  marked = task.sources;
  bookmarks = {task.view->bookmarks.begin(), task.view->bookmarks.end()};
}

void WindowMemory::recall(Gui& gui) const {
  recallLooks(saved, gui.layout, gui.viewState);
  const auto text = [&](const char* name) {
    const auto it = saved.texts.find(name);
    return it == saved.texts.end() ? std::string() : it->second;
  };
  gui.panels.topBar.record.choose(text("record_as"));
  gui.layout.frontTab = text("tab");
  gui.panels.chooser.start = text("folder");
  gui.panels.cameras.recall(cameras);
  if (gui.model.task.sources == marked) {
    gui.viewState.bookmarks = bookmarks;
    gui.panels.projects.goOnWith(project);
  }
  if (!sight) return;
  gui.viewState.space = sight->space;
  gui.viewState.views = sight->views;
  gui.viewState.zoom = sight->zoom;
  gui.viewState.enlarged = sight->enlarged;
}

void WindowMemory::remember(const Gui& gui) {
  history = gui.model.draft.history();
  cameras = gui.panels.cameras.asked();
  const auto& next = gui.actions.next();
  sight.reset();
  if (next && !next->bodies.empty())
    sight =
        Sight{gui.viewState.space, gui.viewState.views, gui.viewState.zoom, gui.viewState.enlarged};
  project = gui.panels.projects.file();
  marked = gui.model.task.sources;
  bookmarks = gui.viewState.bookmarks;
  rememberLooks(gui.layout, gui.viewState, saved);
  saved.texts["record_as"] = gui.panels.topBar.record.chosen().name;
  if (!gui.panels.chooser.start.empty()) saved.texts["folder"] = gui.panels.chooser.start;
}

}  // namespace glint::ui
