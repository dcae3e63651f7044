#include "ui/model/undo_order.h"

namespace glint::ui {

void UndoOrder::follow() {
  const double settings = draft_.history().undoAt(), tracks = editor_.undoAt();
  if (tracks > draft_.history().redoAt()) draft_.forgetRedo();
  if (settings > editor_.redoAt()) editor_.forgetRedo();
  // Otherwise, the next change of the same setting would be in one step with changes before the
  // edit.
  if (tracks > settings) draft_.endStep();
}

std::string UndoOrder::undoName() const {
  return undoesTracks() ? editor_.history().undoName() : draft_.history().undoName();
}

std::string UndoOrder::redoName() const {
  return redoesTracks() ? editor_.history().redoName() : draft_.history().redoName();
}

void UndoOrder::undo() {
  follow();
  undoesTracks() ? editor_.undo() : draft_.undo();
}

void UndoOrder::redo() {
  follow();
  redoesTracks() ? editor_.redo() : draft_.redo();
}

}  // namespace glint::ui
