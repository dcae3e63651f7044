// The line at the top: the names of the sources, the choice of the plane that is shown, and the
// record button.
#pragma once

#include "ui/context/context.h"
#include "ui/panels/record.h"
#include "ui/panels/report_maker.h"

namespace glint::ui {

/// The bar at the top of the window. Main thread.
class TopBar {
 public:
  TopBar(const Context& context, const ReportMaker& reports)
      : record(context.model.task), reports_(reports) {}

  RecordOptions record;

  void draw(Context& context);
  /// Writes the format of recordings into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  float drawRecord(Context& context);

  const ReportMaker& reports_;
};

}  // namespace glint::ui
