// Which part of a recording a timeline shows.
#pragma once

#include <cstdint>
#include <optional>

namespace glint::shell {

/// The whole, until it is zoomed. Frames from 0 to `last` of each call.
class TimeZoom {
 public:
  static constexpr double kLeast = 8;  ///< frames that are shown

  struct Range {
    uint64_t first = 0, last = 0;  ///< both are shown
    bool operator==(const Range&) const = default;
  };
  Range range(uint64_t last) const;
  bool zoomed() const { return part_.has_value(); }

  /// `factor` above 1 shows fewer frames; the frame `about` stays where it is.
  void zoomBy(double factor, double about, uint64_t last);
  void moveBy(double frames, uint64_t last);
  /// Moves on where the frame is not shown, so that what follows it is.
  void follow(uint64_t frame, uint64_t last);
  void reset() { part_.reset(); }

 private:
  struct Part {
    double first, frames;  // from one edge to the other
  };
  void set(Part part, uint64_t last);
  std::optional<Part> part_;
};

}  // namespace glint::shell
