#include "app/output/tables/tables.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gpu/statistics.h"

namespace glint::output {
namespace {

Cell cellIf(bool there, double value) {
  return there ? Cell(value) : Cell();
}

/// Returns the cell for a measured value of a candidate; empty if the candidate was not measured.
template <auto member>
Cell seenCell(const RejectedTable::Row& row) {
  return cellIf(row.rejected.measured, row.rejected.seen.*member);
}

/// Makes a cell of a value that says how well something fits, or an empty cell if that is not
/// known.
Cell fitCell(double value) {
  return cellIf(std::isfinite(value), value);
}

Cell nameCell(const TracksTable::Row& row) {
  const std::string none;
  const std::string& name = row.edits ? row.edits->name(row.track.track) : none;
  return name.empty() ? Cell() : Cell(name);
}

/// Returns the cell for a length in px in scaled units; empty if the camera has no scale.
Cell scaledCell(const TracksTable::Row& row, double value) {
  if (!row.edits) return {};
  const auto& scales = row.edits->edits().mmPerPx;
  const auto scale = scales.find(CameraIndex(row.camera));
  return scale == scales.end() ? Cell() : Cell(value * scale->second);
}

/// Returns the readbacks as text, "light.mean=0.25;light.sum=...". They have 17 digits, so that
/// thresholds can be computed again.
std::string readbackText(const std::vector<gpu::FilterReadback>& readbacks) {
  std::string text;
  for (const gpu::FilterReadback& one : readbacks)
    text += fmt::format("{}{}={:.17g}", text.empty() ? "" : ";", one.name, one.value);
  return text;
}

Cell milliseconds(bool known, double seconds) {
  return cellIf(known, 1e3 * seconds);
}

// Help that columns of several tables share.
constexpr std::string_view kFrameHelp = "of this camera, from 0; raw recordings keep it";
constexpr std::string_view kTimeHelp = "the source's own time";
constexpr std::string_view kPeakPlace = "the pixel of its peak";
constexpr std::string_view kPosition = "position";
constexpr std::string_view kPeak = "response at the brightest pixel";
constexpr std::string_view kMass = "response above background, summed";
constexpr std::string_view kRadius =
    "of the uniform disc with the same second moments; of long markers, of the same area";
constexpr std::string_view kEccentricity = "0 (round) to 1";
constexpr std::string_view kSigma = "standard deviation of x and y, from the image noise";
constexpr std::string_view kFlags =
    "sum of 1 saturated, 2 at the image border, 4 expected by a track, 8 merged, 16 split, 32 "
    "partial (see detection.md)";
constexpr std::string_view kAngle = "of a sought picture, from x towards y";
constexpr std::string_view kScale = "of a sought picture";
constexpr std::string_view kScaled = "position times the scale of its camera (`--edits`)";
constexpr std::string_view kScore = "match of a sought picture, 0 to 1";

// Columns that several tables share.
template <class Row>
constexpr Column<Row> kCamera{"camera", "", "in the order of the sources, from 0",
                              [](const Row& r) -> Cell { return r.camera; }};
template <class Row>
constexpr Column<Row> kFrame{"frame", "", kFrameHelp, [](const Row& r) -> Cell {
                               return FrameNumber(r.measured.stamp->sequence).value();
                             }};
template <class Row>
constexpr Column<Row> kTime{"time_s", "s", kTimeHelp,
                            [](const Row& r) -> Cell { return r.measured.stamp->time; }, 6};
template <class Row>
constexpr Column<Row> kSetNumber{"frame", "", "of the set, from 0",
                                 [](const Row& r) -> Cell { return r.frame; }};
template <class Row>
constexpr Column<Row> kSetTime{"time_s", "s", "of the set: the middle one of its cameras' times",
                               [](const Row& r) -> Cell { return r.time; }, 6};

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
// Points from other programs have no velocity and no covariance.
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

/// Returns a list of cameras such as "0+2+5".
std::string cameraList(uint64_t cameras) {
  std::string text;
  for (int camera = 0; camera < 64; ++camera)
    if (cameras >> camera & 1) text += fmt::format("{}{}", text.empty() ? "" : "+", camera);
  return text;
}

}  // namespace

std::span<const Column<TracksTable::Row>> TracksTable::columns() {
  using C = Column<Row>;
  using R = const Row&;
  static constexpr C kColumns[] = {
      kCamera<Row>,
      C{"frame", "", kFrameHelp, [](R r) -> Cell { return r.track.frame.value(); }},
      C{"time_s", "s", kTimeHelp, [](R r) -> Cell { return r.track.time; }, 6},
      C{"track", "",
        "id, from 1, never given to another marker in a session; it may go on after a "
        "gap without rows (`--no-stitch`: only with a rig)",
        [](R r) -> Cell { return r.track.track.value(); }},
      C{"state", "", "`measured`, or `predicted` in a gap between two measurements",
        [](R r) -> Cell {
          return r.track.state == motion::TrackState::measured ? "measured" : "predicted";
        }},
      C{"x", "px", kPosition, [](R r) -> Cell { return r.track.x; }, 4},
      C{"y", "px", kPosition, [](R r) -> Cell { return r.track.y; }, 4},
      C{"vx", "px/s", "velocity", [](R r) -> Cell { return r.track.vx; }, 3},
      C{"vy", "px/s", "velocity", [](R r) -> Cell { return r.track.vy; }, 3},
      C{"peak", "counts", kPeak, [](R r) -> Cell { return r.track.seen.peak; }},
      C{"mass", "counts", kMass, [](R r) -> Cell { return r.track.seen.mass; }, 1},
      C{"radius", "px", kRadius, [](R r) -> Cell { return r.track.seen.radius; }, 3},
      C{"eccentricity", "", kEccentricity, [](R r) -> Cell { return r.track.seen.eccentricity; },
        3},
      C{"sigma_x", "px", kSigma, [](R r) -> Cell { return r.track.seen.sigmaX; }, 4},
      C{"sigma_y", "px", kSigma, [](R r) -> Cell { return r.track.seen.sigmaY; }, 4},
      C{"flags", "", kFlags, [](R r) -> Cell { return r.track.seen.flags; }},
      C{"angle", "degrees", kAngle, [](R r) -> Cell { return fitCell(r.track.seen.angle); }, 3,
        ColumnUse::fitted},
      C{"scale", "", kScale, [](R r) -> Cell { return fitCell(r.track.seen.scale); }, 4,
        ColumnUse::fitted},
      C{"score", "", kScore, [](R r) -> Cell { return fitCell(r.track.seen.score); }, 4,
        ColumnUse::fitted},
      C{"provisional", "",
        "1 where ids are provisional (see glossary.md); otherwise there is no such column",
        [](R r) -> Cell { return r.provisional ? Cell(true) : Cell(); }, 0, ColumnUse::provisional},
      C{"name", "", "that the track was given (`--edits`)", nameCell, 0, ColumnUse::named},
      C{"x_mm", "mm", kScaled, [](R r) -> Cell { return scaledCell(r, r.track.x); }, 4,
        ColumnUse::scaled},
      C{"y_mm", "mm", kScaled, [](R r) -> Cell { return scaledCell(r, r.track.y); }, 4,
        ColumnUse::scaled}};
  return kColumns;
}

std::span<const Column<DetectionsTable::Row>> DetectionsTable::columns() {
  using C = Column<Row>;
  using R = const Row&;
  static constexpr C kColumns[] = {
      kCamera<Row>,
      kFrame<Row>,
      kTime<Row>,
      C{"rank", "", "from 1: the best first", [](R r) -> Cell { return r.rank; }},
      C{"peak_x", "px", kPeakPlace, [](R r) -> Cell { return r.marker().peakX; }},
      C{"peak_y", "px", kPeakPlace, [](R r) -> Cell { return r.marker().peakY; }},
      C{"peak", "counts", kPeak, [](R r) -> Cell { return r.marker().peak; }},
      C{"x", "px", kPosition, [](R r) -> Cell { return r.marker().x; }, 4},
      C{"y", "px", kPosition, [](R r) -> Cell { return r.marker().y; }, 4},
      C{"mass", "counts", kMass, [](R r) -> Cell { return r.marker().mass; }, 1},
      C{"radius", "px", kRadius, [](R r) -> Cell { return r.marker().radius; }, 3},
      C{"eccentricity", "", kEccentricity, [](R r) -> Cell { return r.marker().eccentricity; }, 3},
      C{"sigma_x", "px", kSigma, [](R r) -> Cell { return r.marker().sigmaX; }, 4},
      C{"sigma_y", "px", kSigma, [](R r) -> Cell { return r.marker().sigmaY; }, 4},
      C{"flags", "", kFlags, [](R r) -> Cell { return r.marker().flags; }},
      C{"angle", "degrees", kAngle, [](R r) -> Cell { return fitCell(r.fit.angle); }, 3,
        ColumnUse::fitted},
      C{"scale", "", kScale, [](R r) -> Cell { return fitCell(r.fit.scale); }, 4,
        ColumnUse::fitted},
      C{"score", "", kScore, [](R r) -> Cell { return fitCell(r.fit.score); }, 4,
        ColumnUse::fitted},
      C{"set", "", "which rows of several cameras are of one moment",
        [](R r) -> Cell { return r.set; }, 0, ColumnUse::sets}};
  return kColumns;
}

std::span<const Column<RejectedTable::Row>> RejectedTable::columns() {
  using C = Column<Row>;
  using R = const Row&;
  static constexpr C kColumns[] = {
      kCamera<Row>,
      kFrame<Row>,
      kTime<Row>,
      C{"reason", "", "why it is none: see below",
        [](R r) -> Cell { return std::string(gpu::nameOf(r.rejected.reason)); }},
      C{"peak_x", "px", kPeakPlace, [](R r) -> Cell { return r.rejected.seen.peakX; }},
      C{"peak_y", "px", kPeakPlace, [](R r) -> Cell { return r.rejected.seen.peakY; }},
      C{"peak", "counts", kPeak, [](R r) -> Cell { return r.rejected.seen.peak; }},
      C{"x", "px", kPosition, seenCell<&shared::Detection::x>, 4},
      C{"y", "px", kPosition, seenCell<&shared::Detection::y>, 4},
      C{"mass", "counts", kMass, seenCell<&shared::Detection::mass>, 1},
      C{"radius", "px", kRadius, seenCell<&shared::Detection::radius>, 3},
      C{"eccentricity", "", kEccentricity, seenCell<&shared::Detection::eccentricity>, 3},
      C{"nearest_rank", "", "rank of the marker that it is too close to",
        [](R r) -> Cell {
          return r.rejected.nearestRank > 0 ? Cell(uint64_t{r.rejected.nearestRank}) : Cell();
        }},
      C{"candidates", "", "that the row stands for (`too_near`: itself and others beside it)",
        [](R r) -> Cell { return uint64_t{r.rejected.candidates}; }},
      C{"score", "", kScore, [](R r) -> Cell { return fitCell(r.rejected.score); }, 4,
        ColumnUse::fitted}};
  return kColumns;
}

std::span<const Column<StatsTable::Row>> StatsTable::columns() {
  using C = Column<Row>;
  using R = const Row&;
  static constexpr C kColumns[] = {
      kCamera<Row>,
      kFrame<Row>,
      kTime<Row>,
      C{"mean", "counts", "mean of the luminance",
        [](R r) -> Cell { return gpu::mean(r.luminance(), r.image().pixels()); }, kEveryDigit},
      C{"variance", "counts²", "its variance",
        [](R r) -> Cell { return gpu::variance(r.luminance(), r.image().pixels()); }, kEveryDigit},
      C{"min", "counts", "its least value", [](R r) -> Cell { return r.luminance().least; }},
      C{"min_x", "px", "the first pixel of the least value",
        [](R r) -> Cell { return r.luminance().leastIndex % r.image().width; }},
      C{"min_y", "px", "the first pixel of the least value",
        [](R r) -> Cell { return r.luminance().leastIndex / r.image().width; }},
      C{"max", "counts", "its greatest value", [](R r) -> Cell { return r.luminance().most; }},
      C{"max_x", "px", "the first pixel of the greatest value",
        [](R r) -> Cell { return r.luminance().mostIndex % r.image().width; }},
      C{"max_y", "px", "the first pixel of the greatest value",
        [](R r) -> Cell { return r.luminance().mostIndex / r.image().width; }},
      C{"threshold", "counts", "least response of a candidate",
        [](R r) -> Cell { return r.measured.threshold; }},
      C{"candidates", "", "peaks above it, or components",
        [](R r) -> Cell { return r.measured.candidates; }},
      C{"dropped_before", "", "frames lost or replaced since the one before",
        [](R r) -> Cell { return r.stamp().droppedBefore; }},
      C{"source_frame", "", "the number that the camera itself gives",
        [](R r) -> Cell {
          return r.live() ? Cell(SourceSequence(r.stamp().sourceSequence).value()) : Cell();
        }},
      C{"delay_ms", "ms", "from when the frame was taken to its arrival",
        [](R r) -> Cell { return milliseconds(r.live(), r.stamp().arrival - r.stamp().captured); },
        3},
      C{"age_ms", "ms", "from when the frame was taken to its tracks",
        [](R r) -> Cell { return milliseconds(r.live(), r.frame.tracked - r.stamp().captured); },
        3},
      C{"skipped_before", "", "frames that never came whole, by the camera's own numbers",
        [](R r) -> Cell { return r.live() ? Cell(r.stamp().skippedBefore) : Cell(); }},
      C{"rate_hz", "Hz", "recent frames a second",
        [](R r) -> Cell { return cellIf(r.paced(), r.stamp().rate); }, 3},
      C{"jitter_ms", "ms", "standard deviation of recent intervals",
        [](R r) -> Cell { return milliseconds(r.paced(), r.stamp().jitter); }, 3},
      C{"uncertainty_ms", "ms", "how far off the time may be on the host's clock",
        [](R r) -> Cell {
          return milliseconds(r.live() && r.stamp().uncertainty > 0, r.stamp().uncertainty);
        },
        3},
      C{"told", "", "the same as `filter_numbers`, for programs that know the old name",
        [](R r) -> Cell { return readbackText(r.measured.readbacks); }},
      C{"filter_numbers", "", "the numbers that filters computed from the frame before",
        [](R r) -> Cell { return readbackText(r.measured.readbacks); }}};
  return kColumns;
}

template <>
std::span<const Column<PointsTable::Row>> PointsTable::columns() {
  using C = Column<Row>;
  using R = const Row&;
  static constexpr C kColumns[] = {
      kSetNumber<Row>,
      kSetTime<Row>,
      C{"point", "", "id, from 1; see `track` of tracks.csv", [](R r) -> Cell { return r.point; }},
      C{"state", "",
        "`measured`: two rays or more, and the position is what this frame's rays alone say; "
        "`predicted`: fewer",
        [](R r) -> Cell {
          return r.state == motion::TrackState::measured ? "measured" : "predicted";
        }},
      C{"x_mm", "mm", kPosition, atCell<0>, 4},
      C{"y_mm", "mm", kPosition, atCell<1>, 4},
      C{"z_mm", "mm", kPosition, atCell<2>, 4},
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
      C{"residual_px", "px", kMiss, [](R r) -> Cell { return fitCell(r.residual); }, 4},
      C{"body", "", "whose marker it is, or empty", [](R r) -> Cell { return r.body; }},
      C{"label", "", "which of the body's markers, or the label of its dots",
        [](R r) -> Cell { return r.label; }},
      C{"flags", "",
        "sum of 1 floor of noise not learned yet, 2 cameras' times differ, 4 rig without "
        "covariance",
        [](R r) -> Cell { return uint64_t{r.flags}; }}};
  return kColumns;
}

template <>
std::span<const Column<PosesTable::Row>> PosesTable::columns() {
  using C = Column<Row>;
  using R = const Row&;
  static constexpr C kColumns[] = {
      kSetNumber<Row>,
      kSetTime<Row>,
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
        [](R r) -> Cell { return fitCell(r.residual); }, 4},
      C{"state", "",
        "`measured`: three markers or more, and this frame's rays alone; `partial`: one or two, "
        "and the prediction; `predicted`: none",
        [](R r) -> Cell { return std::string(motion::nameOf(r.state)); }},
      C{"flags", "", "1: the body fits onto itself, in another attitude",
        [](R r) -> Cell { return uint64_t{r.flags}; }}};
  return kColumns;
}

template <>
std::span<const Column<RejectedPointsTable::Row>> RejectedPointsTable::columns() {
  using C = Column<Row>;
  using R = const Row&;
  static constexpr C kColumns[] = {
      kSetNumber<Row>,
      kSetTime<Row>,
      C{"reason", "",
        "`ambiguous`: two rays, of which one may meet others; `unseen`: other cameras should see "
        "it; `same`: a point with other rays; `unconfirmed`: too short",
        [](R r) -> Cell { return std::string(motion::nameOf(r.reason)); }},
      C{"x_mm", "mm", kPosition, atCell<0>, 4},
      C{"y_mm", "mm", kPosition, atCell<1>, 4},
      C{"z_mm", "mm", kPosition, atCell<2>, 4},
      C{"rays", "", kRays, [](R r) -> Cell { return static_cast<uint64_t>(r.rays()); }},
      C{"cameras", "", "which, such as 0+2", [](R r) -> Cell { return cameraList(r.cameras); }},
      C{"residual_px", "px", kMiss, [](R r) -> Cell { return r.residual; }, 4}};
  return kColumns;
}

}  // namespace glint::output
