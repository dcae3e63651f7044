#include "app/output/tables/space_tables.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace glint::output {
namespace {

constexpr std::string_view kSetNumber = "of the set, from 0";
constexpr std::string_view kSetTime = "of the set: the middle one of its cameras' times";
constexpr std::string_view kPlace = "position";
constexpr std::string_view kSpeed = "velocity, filtered";
constexpr std::string_view kStated = "standard deviations of the position";
constexpr std::string_view kStatedTogether = "its covariances";
constexpr std::string_view kRays = "cameras that see it";
constexpr std::string_view kMiss = "rms distance of the rays' dots from its images";

constexpr std::string_view kOrigin = "of the origin of the body's axes";
constexpr std::string_view kAttitude = "quaternion, from the body's axes to the world's; qw >= 0";

template <int axis, class Row>
Cell atCell(const Row& row) {
  return row.at[axis];
}
template <int axis>
Cell speedCell(const motion::SpaceRow& row) {
  return row.velocity[axis];
}
template <int axis>
Cell sigmaCell(const motion::SpaceRow& row) {
  return std::sqrt(row.covariance(axis, axis));
}
template <int a, int b>
Cell covarianceCell(const motion::SpaceRow& row) {
  return row.covariance(a, b);
}
template <int number>
Cell attitudeCell(const motion::PoseRow& row) {
  return row.attitude.coeffs()[number];
}

/// "0+2+5"
std::string cameraList(uint64_t cameras) {
  std::string text;
  for (int camera = 0; camera < 64; ++camera)
    if (cameras >> camera & 1) text += fmt::format("{}{}", text.empty() ? "" : "+", camera);
  return text;
}

}  // namespace

std::span<const Column<PointsTable::Row>> PointsTable::columns() {
  using C = Column<Row>;
  using R = const Row&;
  static constexpr C kColumns[] = {
      C{"frame", "", kSetNumber, [](R r) -> Cell { return r.frame; }},
      C{"time_s", "s", kSetTime, [](R r) -> Cell { return r.time; }, 6},
      C{"point", "", "id, from 1; see `track` of tracks.csv", [](R r) -> Cell { return r.point; }},
      C{"state", "",
        "`measured`: two rays or more, and the position is what this frame's rays alone say; "
        "`predicted`: fewer",
        [](R r) -> Cell {
          return r.state == motion::TrackState::measured ? "measured" : "predicted";
        }},
      C{"x_mm", "mm", kPlace, atCell<0>, 4},
      C{"y_mm", "mm", kPlace, atCell<1>, 4},
      C{"z_mm", "mm", kPlace, atCell<2>, 4},
      C{"vx_mm_s", "mm/s", kSpeed, speedCell<0>, 2},
      C{"vy_mm_s", "mm/s", kSpeed, speedCell<1>, 2},
      C{"vz_mm_s", "mm/s", kSpeed, speedCell<2>, 2},
      C{"sigma_x", "mm", kStated, sigmaCell<0>, 4},
      C{"sigma_y", "mm", kStated, sigmaCell<1>, 4},
      C{"sigma_z", "mm", kStated, sigmaCell<2>, 4},
      C{"cov_xy", "mm²", kStatedTogether, covarianceCell<0, 1>, 6},
      C{"cov_xz", "mm²", kStatedTogether, covarianceCell<0, 2>, 6},
      C{"cov_yz", "mm²", kStatedTogether, covarianceCell<1, 2>, 6},
      C{"rays", "", kRays, [](R r) -> Cell { return static_cast<uint64_t>(r.rays()); }},
      C{"residual_px", "px", kMiss,
        [](R r) -> Cell { return std::isfinite(r.residual) ? Cell(r.residual) : Cell(); }, 4},
      C{"body", "", "whose marker it is, or empty", [](R r) -> Cell { return r.body; }},
      C{"label", "", "which of the body's markers", [](R r) -> Cell { return r.label; }},
      C{"flags", "",
        "sum of 1 floor of noise not learned yet, 2 cameras' times differ, 4 rig without "
        "covariance",
        [](R r) -> Cell { return uint64_t{r.flags}; }}};
  return kColumns;
}

std::span<const Column<PosesTable::Row>> PosesTable::columns() {
  using C = Column<Row>;
  using R = const Row&;
  static constexpr C kColumns[] = {
      C{"frame", "", kSetNumber, [](R r) -> Cell { return r.frame; }},
      C{"time_s", "s", kSetTime, [](R r) -> Cell { return r.time; }, 6},
      C{"body", "", "its name", [](R r) -> Cell { return r.body; }},
      C{"x_mm", "mm", kOrigin, atCell<0>, 4},
      C{"y_mm", "mm", kOrigin, atCell<1>, 4},
      C{"z_mm", "mm", kOrigin, atCell<2>, 4},
      C{"qx", "", kAttitude, attitudeCell<0>, 7},
      C{"qy", "", kAttitude, attitudeCell<1>, 7},
      C{"qz", "", kAttitude, attitudeCell<2>, 7},
      C{"qw", "", kAttitude, attitudeCell<3>, 7},
      C{"sigma_mm", "mm", "standard deviation of the position: root of its three variances' sum",
        [](R r) -> Cell { return r.sigma(); }, 4},
      C{"sigma_deg", "degrees", "the same of the attitude, as an angle",
        [](R r) -> Cell { return r.sigmaAngle() * 180 / std::numbers::pi; }, 4},
      C{"markers", "", "that cameras see",
        [](R r) -> Cell { return static_cast<uint64_t>(r.markers); }},
      C{"residual_mm", "mm", "rms distance of its points from its markers",
        [](R r) -> Cell { return std::isfinite(r.residual) ? Cell(r.residual) : Cell(); }, 4},
      C{"state", "",
        "`measured`: three markers or more, and this frame's rays alone; `partial`: one or two, "
        "and "
        "the prediction; `predicted`: none",
        [](R r) -> Cell { return std::string(motion::nameOf(r.state)); }},
      C{"flags", "", "1: the body fits onto itself, in another attitude",
        [](R r) -> Cell { return uint64_t{r.flags}; }}};
  return kColumns;
}

std::span<const Column<RejectedPointsTable::Row>> RejectedPointsTable::columns() {
  using C = Column<Row>;
  using R = const Row&;
  static constexpr C kColumns[] = {
      C{"frame", "", kSetNumber, [](R r) -> Cell { return r.frame; }},
      C{"time_s", "s", kSetTime, [](R r) -> Cell { return r.time; }, 6},
      C{"reason", "",
        "`ambiguous`: two rays, of which one may meet others; `unseen`: other cameras should see "
        "it; `same`: a point with other rays; `unconfirmed`: too short",
        [](R r) -> Cell { return std::string(motion::nameOf(r.reason)); }},
      C{"x_mm", "mm", kPlace, atCell<0>, 4},
      C{"y_mm", "mm", kPlace, atCell<1>, 4},
      C{"z_mm", "mm", kPlace, atCell<2>, 4},
      C{"rays", "", kRays, [](R r) -> Cell { return static_cast<uint64_t>(r.rays()); }},
      C{"cameras", "", "which, such as 0+2", [](R r) -> Cell { return cameraList(r.cameras); }},
      C{"residual_px", "px", kMiss, [](R r) -> Cell { return r.residual; }, 4}};
  return kColumns;
}

}  // namespace glint::output
