// Exports the frames between in and out of a recording.
#pragma once

#include <memory>
#include <string>

#include "app/desk/export_range.h"

namespace glint::ui {

struct Context;

/// The dialog, and the export that runs. Main thread.
class Exporting {
 public:
  /// Asks what to export, and where to.
  void ask(Context& context);
  bool open() const { return open_; }
  void close() { open_ = false; }
  bool running() const { return export_ != nullptr; }

  /// The dialog, if it is open; tells how an export has ended.
  void draw(Context& context);

 private:
  void drawFormats(Context& context);
  void drawFile(Context& context);
  void drawProgress(Context& context);
  void drawButtons(Context& context);
  void begin(Context& context);
  void follow(Context& context);
  ExportWish wish(const Context& context) const;

  bool open_ = false, opens_ = false;
  size_t format_ = 0;  // of trackFormats(), then the others
  bool whole_ = false;
  std::string file_, overwrites_;
  std::unique_ptr<RangeExport> export_;
};

}  // namespace glint::ui
