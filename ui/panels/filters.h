// The chain of filters that frames go through, with the parameters that the filters' files declare.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/shell/desk/filters_off.h"
#include "ui/context/context.h"
#include "ui/draw/of_picture.h"

namespace glint::ui {

/// One filter of the chain as it is shown. Filters that are switched off stay in their place.
struct ChainStep {
  FilterUse use;
  bool on = true;
};

/// The group of filters in the tab *Settings*.
class FilterChain {
 public:
  void draw(Context& context);
  /// Writes the numbers that filters report into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  void drawChain(Context& context);
  bool drawStep(Context& context, std::vector<ChainStep>& steps, size_t i);
  void drawReported(const WindowModel& model, const FilterUse& use);
  void put(Context& context, const std::vector<ChainStep>& steps);
  void drawAdd(Context& context, const shell::FiltersOff::Rows& off);
  void drawList(Context& context, const shell::FiltersOff::Rows& off);

  shell::FiltersOff off_;
  // Words to search among the filters that can be added.
  std::array<char, 64> search_ = {};
  OfPicture<std::string> numbers_;  // numbers that filters report about the frame
};

}  // namespace glint::ui
