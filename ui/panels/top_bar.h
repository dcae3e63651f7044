// The line at the top: the sources' names, which plane is shown, and the record button.
#pragma once

#include "ui/context/context.h"
#include "ui/panels/record.h"
#include "ui/panels/report_maker.h"

namespace glint::ui {

class TopBar {
 public:
  explicit TopBar(const ReportMaker& reports) : reports_(reports) {}

  RecordOptions record;

  void draw(Context& context);
  /// Tells tests the format of recordings.
  void describe(nlohmann::json& to) const;

 private:
  float drawRecord(Context& context);

  const ReportMaker& reports_;
};

}  // namespace glint::ui
