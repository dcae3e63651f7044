// The chain of filters that frames go through, with their parameters as their files declare them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/shell/desk/filters_off.h"
#include "ui/context/context.h"
#include "ui/draw/of_picture.h"

namespace glint::ui {

/// One filter of the chain as it is shown: switched off ones stay in their place.
struct ChainStep {
  FilterUse use;
  bool on = true;
};

/// A group of the tab of settings.
class FilterChain {
 public:
  void draw(Context& context);
  /// Tells tests the numbers that filters tell.
  void describe(nlohmann::json& to) const;

 private:
  void drawChain(Context& context);
  bool drawStep(Context& context, std::vector<ChainStep>& steps, size_t i);
  void drawReported(const WindowModel& model, const FilterUse& use);
  void put(Context& context, const std::vector<ChainStep>& steps);
  void drawAdd(Context& context, const shell::FiltersOff::Rows& off);
  void drawList(Context& context, const shell::FiltersOff::Rows& off);

  shell::FiltersOff off_;
  std::array<char, 64> search_ = {};  // what is sought among those that can be added
  OfPicture<std::string> numbers_;    // that filters tell of the frame
};

}  // namespace glint::ui
