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
constexpr std::string_view kFrameHelp =
    "The number of this camera's frame, from 0. A raw recording keeps the numbers of its frames.";
constexpr std::string_view kTimeHelp = "The time that the source gives the frame.";
constexpr std::string_view kPeakPlace = "The pixel with the highest response.";
constexpr std::string_view kPosition = "The position.";
constexpr std::string_view kPeak = "The response at the brightest pixel.";
constexpr std::string_view kMass = "The sum of the response above the background.";
constexpr std::string_view kRadius =
    "The radius of a uniform disc with the same second moments as the marker. For long markers, it "
    "is the radius of a disc with the same area.";
constexpr std::string_view kEccentricity =
    "The eccentricity of the ellipse with the same second moments as the marker: from 0 (round) to "
    "1 (a line).";
constexpr std::string_view kSigma =
    "The standard deviations of x and y that follow from the noise of the image.";
constexpr std::string_view kFlags =
    "The sum of the flags that apply: 1 saturated, 2 at the image border, 4 found because a track "
    "expected it, 8 merged, 16 split, 32 partial (see detection.md).";
constexpr std::string_view kAngle =
    "The angle by which the sought picture is turned, from x towards y.";
constexpr std::string_view kScale = "The factor by which the sought picture is scaled to match.";
constexpr std::string_view kScaled =
    "The position, multiplied by the scale of the camera (`--edits`).";
constexpr std::string_view kScore = "How well the sought picture matches, from 0 to 1.";

// Columns that several tables share.
template <class Row>
constexpr Column<Row> kCamera{
    "camera", "",
    "The number of the camera. Cameras are numbered in the order of the sources, from 0.",
    [](const Row& r) -> Cell { return r.camera; }};
template <class Row>
constexpr Column<Row> kFrame{"frame", "", kFrameHelp, [](const Row& r) -> Cell {
                               return FrameNumber(r.measured.stamp->sequence).value();
                             }};
template <class Row>
constexpr Column<Row> kTime{"time_s", "s", kTimeHelp,
                            [](const Row& r) -> Cell { return r.measured.stamp->time; }, 6};
template <class Row>
constexpr Column<Row> kSetNumber{"frame", "", "The number of the set, from 0.",
                                 [](const Row& r) -> Cell { return r.frame; }};
template <class Row>
constexpr Column<Row> kSetTime{"time_s", "s",
                               "The time of the set: the median of its cameras' times.",
                               [](const Row& r) -> Cell { return r.time; }, 6};

constexpr std::string_view kSpeed = "The filtered velocity of the point.";
constexpr std::string_view kStated = "The standard deviations of the position.";
constexpr std::string_view kStatedTogether = "The covariances of the position.";
constexpr std::string_view kRays = "The number of cameras that see the point.";
constexpr std::string_view kMiss =
    "The root mean square distance between the point's projections and the markers that the "
    "cameras measured.";

constexpr std::string_view kOrigin = "The position of the origin of the body's axes.";
constexpr std::string_view kAttitude =
    "The attitude as a quaternion that turns the body's axes into the world's; qw is at least 0.";

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
        "The id of the marker, from 1. A session never gives it to another marker. It may continue "
        "after a gap without rows (with `--no-stitch`, only if there is a rig).",
        [](R r) -> Cell { return r.track.track.value(); }},
      C{"state", "", "`measured`, or `predicted` in a gap between two measurements.",
        [](R r) -> Cell {
          return r.track.state == motion::TrackState::measured ? "measured" : "predicted";
        }},
      C{"x", "px", kPosition, [](R r) -> Cell { return r.track.x; }, 4},
      C{"y", "px", kPosition, [](R r) -> Cell { return r.track.y; }, 4},
      C{"vx", "px/s", "The velocity of the marker.", [](R r) -> Cell { return r.track.vx; }, 3},
      C{"vy", "px/s", "The velocity of the marker.", [](R r) -> Cell { return r.track.vy; }, 3},
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
        "1 where ids are provisional (see glossary.md). Files without provisional ids lack the "
        "column.",
        [](R r) -> Cell { return r.provisional ? Cell(true) : Cell(); }, 0, ColumnUse::provisional},
      C{"name", "", "The name that an edit gave the track (`--edits`).", nameCell, 0,
        ColumnUse::named},
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
      C{"rank", "", "The place of the marker in the order of quality. The best one has 1.",
        [](R r) -> Cell { return r.rank; }},
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
      C{"set", "",
        "The number of the set. Rows of several cameras with the same number belong to one moment.",
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
      C{"reason", "", "The reason why the candidate was rejected, which is one of the list below.",
        [](R r) -> Cell { return std::string(gpu::nameOf(r.rejected.reason)); }},
      C{"peak_x", "px", kPeakPlace, [](R r) -> Cell { return r.rejected.seen.peakX; }},
      C{"peak_y", "px", kPeakPlace, [](R r) -> Cell { return r.rejected.seen.peakY; }},
      C{"peak", "counts", kPeak, [](R r) -> Cell { return r.rejected.seen.peak; }},
      C{"x", "px", kPosition, seenCell<&shared::Detection::x>, 4},
      C{"y", "px", kPosition, seenCell<&shared::Detection::y>, 4},
      C{"mass", "counts", kMass, seenCell<&shared::Detection::mass>, 1},
      C{"radius", "px", kRadius, seenCell<&shared::Detection::radius>, 3},
      C{"eccentricity", "", kEccentricity, seenCell<&shared::Detection::eccentricity>, 3},
      C{"nearest_rank", "", "The rank of the better marker that the candidate is too close to.",
        [](R r) -> Cell {
          return r.rejected.nearestRank > 0 ? Cell(uint64_t{r.rejected.nearestRank}) : Cell();
        }},
      C{"candidates", "",
        "The number of candidates that the row stands for. With `too_near`, these are the "
        "candidate and others beside it.",
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
      C{"mean", "counts", "The mean of the luminance.",
        [](R r) -> Cell { return gpu::mean(r.luminance(), r.image().pixels()); }, kEveryDigit},
      C{"variance", "counts²", "The variance of the luminance.",
        [](R r) -> Cell { return gpu::variance(r.luminance(), r.image().pixels()); }, kEveryDigit},
      C{"min", "counts", "The smallest luminance.",
        [](R r) -> Cell { return r.luminance().least; }},
      C{"min_x", "px", "The first pixel that has the smallest luminance.",
        [](R r) -> Cell { return r.luminance().leastIndex % r.image().width; }},
      C{"min_y", "px", "The first pixel that has the smallest luminance.",
        [](R r) -> Cell { return r.luminance().leastIndex / r.image().width; }},
      C{"max", "counts", "The largest luminance.", [](R r) -> Cell { return r.luminance().most; }},
      C{"max_x", "px", "The first pixel that has the largest luminance.",
        [](R r) -> Cell { return r.luminance().mostIndex % r.image().width; }},
      C{"max_y", "px", "The first pixel that has the largest luminance.",
        [](R r) -> Cell { return r.luminance().mostIndex / r.image().width; }},
      C{"threshold", "counts", "The smallest response of a pixel that can be a candidate.",
        [](R r) -> Cell { return r.measured.threshold; }},
      C{"candidates", "",
        "The number of peaks above the threshold. If blobs are sought, the number of components.",
        [](R r) -> Cell { return r.measured.candidates; }},
      C{"dropped_before", "",
        "The number of frames that were lost or replaced since the previous frame.",
        [](R r) -> Cell { return r.stamp().droppedBefore; }},
      C{"source_frame", "", "The number that the camera itself gives the frame.",
        [](R r) -> Cell {
          return r.live() ? Cell(SourceSequence(r.stamp().sourceSequence).value()) : Cell();
        }},
      C{"delay_ms", "ms", "The time from the capture of the frame to its arrival.",
        [](R r) -> Cell { return milliseconds(r.live(), r.stamp().arrival - r.stamp().captured); },
        3},
      C{"age_ms", "ms", "The time from the capture of the frame until its tracks were known.",
        [](R r) -> Cell { return milliseconds(r.live(), r.frame.tracked - r.stamp().captured); },
        3},
      C{"skipped_before", "",
        "The number of frames that did not arrive whole since the previous one, according to the "
        "camera's own numbers.",
        [](R r) -> Cell { return r.live() ? Cell(r.stamp().skippedBefore) : Cell(); }},
      C{"rate_hz", "Hz", "The recent frame rate.",
        [](R r) -> Cell { return cellIf(r.paced(), r.stamp().rate); }, 3},
      C{"jitter_ms", "ms", "The standard deviation of the recent intervals between frames.",
        [](R r) -> Cell { return milliseconds(r.paced(), r.stamp().jitter); }, 3},
      C{"uncertainty_ms", "ms", "The uncertainty of the frame's time on the host's clock.",
        [](R r) -> Cell {
          return milliseconds(r.live() && r.stamp().uncertainty > 0, r.stamp().uncertainty);
        },
        3},
      C{"told", "", "The same as `filter_numbers`, for programs that know the old name.",
        [](R r) -> Cell { return readbackText(r.measured.readbacks); }},
      C{"filter_numbers", "", "The numbers that filters computed from the previous frame.",
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
      C{"point", "",
        "The id of the point, from 1. A session never gives it to another point. It may continue "
        "after a gap without rows.",
        [](R r) -> Cell { return r.point; }},
      C{"state", "",
        "`measured`: the position follows from two or more rays of this frame, and from nothing "
        "else. `predicted`: there are fewer rays.",
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
      C{"body", "", "The body whose marker the point is. Empty if it belongs to none.",
        [](R r) -> Cell { return r.body; }},
      C{"label", "",
        "The label of the body's marker. For a point that was computed from labelled detections, "
        "their label.",
        [](R r) -> Cell { return r.label; }},
      C{"flags", "",
        "The sum of the flags that apply: 1 the noise floor is not learned yet, 2 the cameras' "
        "times differ, 4 the rig has no covariance.",
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
      C{"body", "", "The name of the body.", [](R r) -> Cell { return r.body; }},
      C{"x_mm", "mm", kOrigin, atCell<0>, 4},
      C{"y_mm", "mm", kOrigin, atCell<1>, 4},
      C{"z_mm", "mm", kOrigin, atCell<2>, 4},
      C{"qx", "", kAttitude, attitudeCell<0>, 7},
      C{"qy", "", kAttitude, attitudeCell<1>, 7},
      C{"qz", "", kAttitude, attitudeCell<2>, 7},
      C{"qw", "", kAttitude, attitudeCell<3>, 7},
      C{"sigma_mm", "mm",
        "The standard deviation of the position: the square root of the sum of its three "
        "variances.",
        [](R r) -> Cell { return r.sigma(); }, 4},
      C{"sigma_deg", "degrees",
        "The standard deviation of the attitude as an angle, computed in the same way.",
        [](R r) -> Cell { return r.sigmaAngle() * 180 / std::numbers::pi; }, 4},
      C{"markers", "", "The number of the body's markers that cameras see.",
        [](R r) -> Cell { return static_cast<uint64_t>(r.markers); }},
      C{"residual_mm", "mm",
        "The root mean square distance between the measured points and the body's markers.",
        [](R r) -> Cell { return fitCell(r.residual); }, 4},
      C{"state", "",
        "`measured`: the pose follows from three or more markers of this frame, and from nothing "
        "else. `partial`: it follows from one or two markers and the prediction. `predicted`: no "
        "marker was seen.",
        [](R r) -> Cell { return std::string(motion::nameOf(r.state)); }},
      C{"flags", "",
        "1 if the body fits onto itself in another attitude, so that its attitude is ambiguous.",
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
        "`ambiguous`: only two rays meet, and one of them may belong together with another ray "
        "instead. `unseen`: too many cameras that should see the point do not see it. `same`: "
        "other rays already make a point of the same marker. `unconfirmed`: the point was seen for "
        "so short a time that it may be a coincidence.",
        [](R r) -> Cell { return std::string(motion::nameOf(r.reason)); }},
      C{"x_mm", "mm", kPosition, atCell<0>, 4},
      C{"y_mm", "mm", kPosition, atCell<1>, 4},
      C{"z_mm", "mm", kPosition, atCell<2>, 4},
      C{"rays", "", kRays, [](R r) -> Cell { return static_cast<uint64_t>(r.rays()); }},
      C{"cameras", "", "The cameras that see the point, such as 0+2.",
        [](R r) -> Cell { return cameraList(r.cameras); }},
      C{"residual_px", "px", kMiss, [](R r) -> Cell { return r.residual; }, 4}};
  return kColumns;
}

}  // namespace glint::output
