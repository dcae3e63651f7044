#include "app/motion/calibrate/board_start.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <opencv2/calib3d.hpp>

#include "app/motion/geometry/rotation.h"
#include "config/error.h"

namespace glint::motion {
namespace {

// Number of moments that two cameras must share to be placed relative to each other. Raising it
// places fewer pairs of cameras directly, but more surely.
constexpr size_t kLeastCommon = 3;

using Pixels = std::vector<cv::Point2f>;

Pixels pixelsOf(const std::vector<Eigen::Vector2d>& corners) {
  Pixels all;
  for (const Eigen::Vector2d& at : corners)
    all.emplace_back(static_cast<float>(at.x()), static_cast<float>(at.y()));
  return all;
}

using Points = std::vector<cv::Point3f>;

Points pointsOf(const Board& board, const std::vector<size_t>& which) {
  Points points;
  for (const size_t index : which) {
    const Eigen::Vector3d at = board.corner(index);
    points.emplace_back(static_cast<float>(at.x()), static_cast<float>(at.y()), 0.0F);
  }
  return points;
}

cv::Matx33d matrixOf(const Lens& l) {
  return {l.fx, 0, l.cx, 0, l.fy, l.cy, 0, 0, 1};
}

cv::Vec<double, 5> distortionOf(const Lens& l) {
  return {l.k1, l.k2, l.p1, l.p2, l.k3};
}

/// Returns the pixels that a lens without distortion and with the same matrix would show. Nothing
/// if one of them has no ray.
std::optional<Pixels> straightened(const Lens& lens, const Pixels& pixels) {
  Pixels straight;
  for (const cv::Point2f& pixel : pixels) {
    const auto at = undistort(lens, Eigen::Vector2d(pixel.x, pixel.y));
    if (!at) return std::nullopt;
    straight.emplace_back(static_cast<float>(lens.cx + lens.fx * at->x()),
                          static_cast<float>(lens.cy + lens.fy * at->y()));
  }
  return straight;
}

struct LensFit {
  Lens lens;
  // Rms residual, px.
  double rms = std::numeric_limits<double>::infinity();
};

int flagsOf(LensTerms terms) {
  int flags = cv::CALIB_FIX_ASPECT_RATIO | cv::CALIB_USE_INTRINSIC_GUESS;
  if (terms != LensTerms::full) flags |= cv::CALIB_FIX_K3 | cv::CALIB_ZERO_TANGENT_DIST;
  if (terms < LensTerms::k1k2) flags |= cv::CALIB_FIX_K2;
  if (terms < LensTerms::k1) flags |= cv::CALIB_FIX_K1;
  return flags;
}

LensFit fitFisheye(const FrameExtent& size, const std::vector<Points>& points,
                   const std::vector<Pixels>& views) {
  cv::Mat matrix, distortion;
  try {
    const double rms = cv::fisheye::calibrate(
        points, views, {size.width, size.height}, matrix, distortion, cv::noArray(), cv::noArray(),
        cv::fisheye::CALIB_RECOMPUTE_EXTRINSIC | cv::fisheye::CALIB_FIX_SKEW);
    const auto m = [&](int row, int column) { return matrix.at<double>(row, column); };
    const auto d = [&](int index) { return distortion.at<double>(index); };
    return {{m(0, 0), m(1, 1), m(0, 2), m(1, 2), d(0), d(1), d(2), d(3), 0, true}, rms};
  } catch (const cv::Exception&) {
    return {};  // No lens explains these views.
  }
}

/// Fits one lens to views of the board. `points` are the corners on the board, `views` their
/// pixels. The rms residual is infinite if no lens fits.
LensFit fitLens(const FrameExtent& size, const std::vector<Points>& points,
                const std::vector<Pixels>& views, LensTerms terms) {
  if (terms == LensTerms::fisheye) return fitFisheye(size, points, views);
  cv::Mat matrix = cv::initCameraMatrix2D(points, views, {size.width, size.height}, 1);
  cv::Mat distortion = cv::Mat::zeros(5, 1, CV_64F);
  std::vector<cv::Mat> rotations, translations;
  const double rms = cv::calibrateCamera(points, views, {size.width, size.height}, matrix,
                                         distortion, rotations, translations, flagsOf(terms));
  const auto m = [&](int row, int column) { return matrix.at<double>(row, column); };
  const auto d = [&](int index) { return distortion.at<double>(index); };
  return {{m(0, 0), m(1, 1), m(0, 2), m(1, 2), d(0), d(1), d(2), d(3), d(4)}, rms};
}

class BoardStarter {
 public:
  BoardStarter(const BoardRecording& recording, const Board& board,
               const CalibrationOptions& options)
      : recording_(recording), options_(options) {
    bundle_.board = board;
  }

  BoardBundle run() {
    for (size_t c = 0; c < recording_.sizes.size(); ++c) findLens(c);
    findPoses();
    std::vector<bool> placed(bundle_.cameras.size());
    placed[0] = true;
    while (placeNext(placed)) {
    }
    refuseUnplaced(placed);
    findPlaces();
    return std::move(bundle_);
  }

 private:
  /// A pose of the board in the camera's frame that would explain a single view. `turned` is true
  /// if the board's corners are counted from its other end.
  struct BoardPose {
    Pose pose;
    bool turned = false;
  };

  void findLens(size_t camera);
  void findPoses();
  bool placeNext(std::vector<bool>& placed);
  void refuseUnplaced(const std::vector<bool>& placed) const;
  std::optional<Pose> relative(size_t from, size_t to) const;
  void findPlaces();
  double costOf(size_t moment, const Pose& place, std::vector<bool>& turned) const;
  double costOfView(size_t moment, size_t camera, const Pose& place, bool turned) const;
  const BoardView& viewOf(size_t moment, size_t camera) const {
    return recording_.moments[moment].views[camera];
  }
  const std::vector<Eigen::Vector2d>& cornersOf(size_t moment, size_t camera) const {
    return viewOf(moment, camera).corners[windows_[camera]];
  }
  /// Returns the indices of the corners in a view, counted from the other end if `turned`.
  std::vector<size_t> whichOf(size_t moment, size_t camera, bool turned) const {
    auto which = viewOf(moment, camera).which;
    if (turned)
      for (size_t& index : which) index = bundle_.board.turned(index);
    return which;
  }
  std::vector<size_t> viewsToStartFrom(size_t camera) const;

  const BoardRecording& recording_;
  const CalibrationOptions& options_;
  BoardBundle bundle_;
  // For each camera, the index of the refinement window that is used.
  std::vector<size_t> windows_;
  // Possible poses of the board by moment and camera.
  std::vector<std::vector<std::vector<BoardPose>>> poses_;
};

/// Returns the moments of up to 15 views, spread evenly over the recording. Of each stretch it
/// takes the view with the most corners.
std::vector<size_t> BoardStarter::viewsToStartFrom(size_t c) const {
  // Maximum number of views. Raising it takes longer, and a first guess needs no more.
  constexpr size_t kMost = 15;
  std::vector<size_t> moments, chosen;
  for (size_t m = 0; m < recording_.moments.size(); ++m)
    if (viewOf(m, c).seen()) moments.push_back(m);
  const size_t count = std::min(kMost, moments.size());
  for (size_t k = 0; k < count; ++k)
    chosen.push_back(*std::max_element(
        moments.begin() + static_cast<long>(k * moments.size() / count),
        moments.begin() + static_cast<long>((k + 1) * moments.size() / count),
        [&](size_t a, size_t b) { return viewOf(a, c).which.size() < viewOf(b, c).which.size(); }));
  return chosen;
}

void BoardStarter::findLens(size_t c) {
  const std::vector<size_t> moments = viewsToStartFrom(c);
  if (moments.size() < kLeastBoardViews) {
    const std::string doubt = c < recording_.doubts.size() ? recording_.doubts[c] : "";
    throw Error(
        fmt::format("camera {} sees {} in {} frames only; at least {} are needed{}{}", c,
                    bundle_.board.charuco() ? "six corners of the board" : "the whole board",
                    moments.size(), kLeastBoardViews, doubt.empty() ? "" : ": ", doubt));
  }
  const bool known = !options_.intrinsics.empty();
  LensFit best;
  windows_.push_back(0);
  std::vector<Points> points;
  for (const size_t m : moments) points.push_back(pointsOf(bundle_.board, viewOf(m, c).which));
  for (size_t w = 0; w < kCornerWindows.size(); ++w) {
    std::vector<Pixels> views;
    for (const size_t m : moments) views.push_back(pixelsOf(viewOf(m, c).corners[w]));
    const LensFit fit = fitLens(recording_.sizes[c], points, views, options_.terms);
    if (!(fit.rms < best.rms)) continue;
    best = fit;
    windows_.back() = w;
  }
  if (!known && !std::isfinite(best.rms))
    throw Error(
        fmt::format("no {} explains what camera {} sees of the board; show it all over "
                    "the image, tilted in different directions",
                    options_.terms == LensTerms::fisheye ? "fisheye lens" : "lens", c));
  BundleCamera camera;
  camera.lens = known ? options_.intrinsics[c] : best.lens;
  setPrior(camera, options_, recording_.sizes[c], c);
  camera.freePose = c > 0;
  camera.free = options_.freeNumbers();
  bundle_.cameras.push_back(camera);
}

void BoardStarter::findPoses() {
  poses_.resize(recording_.moments.size());
  for (size_t m = 0; m < poses_.size(); ++m) {
    poses_[m].resize(bundle_.cameras.size());
    for (size_t c = 0; c < bundle_.cameras.size(); ++c) {
      if (!viewOf(m, c).seen()) continue;
      const Lens& lens = bundle_.cameras[c].lens;
      Pixels pixels = pixelsOf(cornersOf(m, c));
      cv::Vec<double, 5> distortion = distortionOf(lens);
      if (lens.fisheye) {
        auto straight = straightened(lens, pixels);
        if (!straight) continue;
        pixels = *std::move(straight);
        distortion = {};
      }
      for (const bool turned : {false, true}) {
        if (turned && bundle_.board.charuco()) continue;
        std::vector<cv::Mat> rotations, translations;
        cv::solvePnPGeneric(pointsOf(bundle_.board, whichOf(m, c, turned)), pixels, matrixOf(lens),
                            distortion, rotations, translations, false, cv::SOLVEPNP_IPPE);
        for (size_t i = 0; i < rotations.size(); ++i) {
          const auto three = [](const cv::Mat& v) {
            return Eigen::Vector3d(v.at<double>(0), v.at<double>(1), v.at<double>(2));
          };
          poses_[m][c].push_back({{three(rotations[i]), three(translations[i])}, turned});
        }
      }
    }
  }
}

/// Returns the pose that leads from one camera's frame to another's. Each pair of views of the same
/// moment proposes some poses; the proposal that most moments agree with wins. Returns nothing if
/// the cameras share too few moments.
std::optional<Pose> BoardStarter::relative(size_t from, size_t to) const {
  // Maximum difference of two poses that agree: rotation in rad, and translation as a share of the
  // distance to the board. Raising them lets poses agree that are less alike.
  constexpr double kTurn = 0.05, kShift = 0.1;
  // Maximum number of moments to compare. Raising it takes longer.
  constexpr size_t kMost = 60;
  struct Said {
    Pose pose;
    size_t moment;
    // Distance of the board from the first camera, mm.
    double distance;
  };
  std::vector<Said> all;
  size_t common = 0;
  for (size_t m = 0; m < poses_.size() && common < kMost; ++m) {
    if (poses_[m][from].empty() || poses_[m][to].empty()) continue;
    ++common;
    for (const BoardPose& a : poses_[m][from])
      for (const BoardPose& b : poses_[m][to])
        // If both views are turned, the pose is the same as if neither is.
        if (!a.turned)
          all.push_back({then(a.pose.inverse(), b.pose), m, a.pose.translation.norm()});
  }
  if (common < kLeastCommon) return std::nullopt;
  const Said* best = nullptr;
  double most = 0;
  for (const Said& one : all) {
    double votes = 0;
    size_t last = poses_.size();
    for (const Said& other : all) {
      const Pose off = then(one.pose.inverse(), other.pose);
      const double turn = off.rotation.norm(), shift = off.translation.norm() / one.distance;
      if (other.moment == last || turn > kTurn || shift > kShift) continue;
      last = other.moment;
      // Closer poses count more, so that the middle of a group wins.
      votes += 2 - turn / kTurn - shift / kShift;
    }
    if (votes > most) most = votes, best = &one;
  }
  return best->pose;
}

bool BoardStarter::placeNext(std::vector<bool>& placed) {
  size_t most = 0, from = 0, to = 0;
  for (size_t a = 0; a < placed.size(); ++a)
    for (size_t b = 0; b < placed.size() && placed[a]; ++b) {
      if (placed[b]) continue;
      size_t common = 0;
      for (const auto& moment : poses_) common += !moment[a].empty() && !moment[b].empty();
      if (common > most) most = common, from = a, to = b;
    }
  if (most < kLeastCommon) return false;
  const auto pose = relative(from, to);
  if (!pose) return false;
  bundle_.cameras[to].pose = then(bundle_.cameras[from].pose, *pose);
  placed[to] = true;
  return true;
}

void BoardStarter::refuseUnplaced(const std::vector<bool>& placed) const {
  std::string apart;
  for (size_t c = 0; c < placed.size(); ++c)
    if (!placed[c]) apart += fmt::format("{}{}", apart.empty() ? "" : ", ", c);
  if (!apart.empty())
    throw Error(
        fmt::format("camera {} sees the board in fewer than {} moments together with the "
                    "cameras that camera 0 is connected to; show it to both",
                    apart, kLeastCommon));
}

/// Returns the summed cost of all cameras' views at a moment for this place of the board (each the
/// mean squared residual of a corner, px^2). For each camera it counts the corners from the end
/// that fits better, and stores that in `turned`.
double BoardStarter::costOf(size_t moment, const Pose& place, std::vector<bool>& turned) const {
  double cost = 0;
  for (size_t c = 0; c < bundle_.cameras.size(); ++c) {
    if (poses_[moment][c].empty()) continue;
    const double straight = costOfView(moment, c, place, false);
    const double other = bundle_.board.charuco() ? straight : costOfView(moment, c, place, true);
    turned[c] = other < straight;
    cost += std::min(straight, other);
  }
  return cost;
}

double BoardStarter::costOfView(size_t moment, size_t c, const Pose& place, bool turned) const {
  // Squared residual of a corner behind the camera, px^2.
  constexpr double kFar = 1e12;
  const auto which = whichOf(moment, c, turned);
  const auto& corners = cornersOf(moment, c);
  double cost = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    const BundleCamera& camera = bundle_.cameras[c];
    const Projection p =
        project(camera.lens, camera.pose, place.apply(bundle_.board.corner(which[i])));
    cost += p.depth > 0 ? (p.pixel - corners[i]).squaredNorm() : kFar;
  }
  return cost / static_cast<double>(corners.size());
}

void BoardStarter::findPlaces() {
  for (size_t m = 0; m < poses_.size(); ++m) {
    double least = std::numeric_limits<double>::infinity();
    Pose place;
    std::vector<bool> turned(bundle_.cameras.size()), best;
    for (size_t c = 0; c < bundle_.cameras.size(); ++c)
      for (const BoardPose& said : poses_[m][c]) {
        const Pose here = then(said.pose, bundle_.cameras[c].pose.inverse());
        const double cost = costOf(m, here, turned);
        if (cost < least) least = cost, place = here, best = turned;
      }
    if (best.empty()) continue;
    for (size_t c = 0; c < bundle_.cameras.size(); ++c)
      if (!poses_[m][c].empty())
        bundle_.sights.push_back(
            {c, bundle_.places.size(), whichOf(m, c, best[c]), cornersOf(m, c)});
    bundle_.places.push_back(place);
    bundle_.moments.push_back(m);
  }
}

}  // namespace

BoardBundle startBoard(const BoardRecording& recording, const Board& board,
                       const CalibrationOptions& options) {
  return BoardStarter(recording, board, options).run();
}

}  // namespace glint::motion
