#include "app/motion/calibrate/bundle_covariance.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "app/motion/calibrate/equation.h"

namespace glint::motion {
namespace {

/// Returns the indices of the free numbers among the numbers of all cameras.
std::vector<Eigen::Index> freePlaces(const std::vector<BundleCamera>& cameras) {
  std::vector<Eigen::Index> places;
  for (size_t c = 0; c < cameras.size(); ++c) {
    const BundleCamera& camera = cameras[c];
    const auto first = static_cast<Eigen::Index>(c) * kBundleNumbers;
    for (size_t i = 0; i < lensNumbers; ++i)
      if (camera.free[i]) places.push_back(first + static_cast<Eigen::Index>(i));
    for (int i = 0; i < 6 && camera.freePose; ++i)
      places.push_back(first + static_cast<Eigen::Index>(lensNumbers) + i);
    if (camera.freeTime) places.push_back(first + kTimeNumber);
    if (camera.freeReadout) places.push_back(first + kReadoutNumber);
  }
  return places;
}

/// Terms of one item in the normal equations: its own, and the mixed ones with cameras.
struct ItemNormal {
  Eigen::Matrix<double, 6, 6> own = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, Eigen::Dynamic> mixed;
  // Cameras with columns in `mixed`, kBundleNumbers each.
  std::vector<size_t> cameras;
};

void addSight(const Bundle& bundle, const BundleSight& s, ItemNormal& item,
              Eigen::MatrixXd& whole) {
  const BundleCamera& camera = bundle.cameras[s.camera];
  const BundleItem& at = bundle.items[s.item];
  const auto ends = endsOf(at);
  Equation e;
  if (!equationOf(s, at, camera.lens, camera.pose, latenessOf(camera, s), ends.data(), e, true))
    return;
  Eigen::Matrix<double, 2, kBundleNumbers> slope;
  slope << e.lens, e.pose, e.time, e.time * s.row;
  if (at.ends.size() == 1) {
    e.item.leftCols<3>() += e.item.rightCols<3>().eval();
    e.item.rightCols<3>().setZero();
  }
  const auto found = std::find(item.cameras.begin(), item.cameras.end(), s.camera);
  const auto column = (found - item.cameras.begin()) * kBundleNumbers;
  if (found == item.cameras.end()) {
    item.cameras.push_back(s.camera);
    item.mixed.conservativeResize(6, column + kBundleNumbers);
    item.mixed.rightCols<kBundleNumbers>().setZero();
  }
  item.own += e.item.transpose() * e.item;
  item.mixed.middleCols<kBundleNumbers>(column) += e.item.transpose() * slope;
  const auto first = static_cast<Eigen::Index>(s.camera) * kBundleNumbers;
  whole.block<kBundleNumbers, kBundleNumbers>(first, first) += slope.transpose() * slope;
}

/// Eliminates an item from the normal equations (Schur complement): subtracts mixed^T own^-1 mixed.
void eliminate(const Bundle& bundle, const BundleItem& at, ItemNormal& item,
               Eigen::MatrixXd& whole) {
  if (at.ends.size() == 1) {
    item.own.bottomRightCorner<3, 3>().setIdentity();
  } else if (bundle.length > 0) {
    const Eigen::Vector3d along = (at.ends[1] - at.ends[0]).normalized() / bundle.lengthSigma;
    Eigen::Matrix<double, 6, 1> row;
    row << -along, along;
    item.own += row * row.transpose();
  }
  const Eigen::Matrix<double, 6, Eigen::Dynamic> solved = item.own.ldlt().solve(item.mixed);
  const Eigen::MatrixXd part = item.mixed.transpose() * solved;
  for (size_t i = 0; i < item.cameras.size(); ++i)
    for (size_t j = 0; j < item.cameras.size(); ++j)
      whole.block<kBundleNumbers, kBundleNumbers>(
          static_cast<Eigen::Index>(item.cameras[i]) * kBundleNumbers,
          static_cast<Eigen::Index>(item.cameras[j]) * kBundleNumbers) -=
          part.block<kBundleNumbers, kBundleNumbers>(static_cast<Eigen::Index>(i) * kBundleNumbers,
                                                     static_cast<Eigen::Index>(j) * kBundleNumbers);
}

/// Adds the equation of the base line. Its derivatives are differences.
void addBase(const Bundle& bundle, Eigen::MatrixXd& whole) {
  if (!bundle.base) return;
  const BaseLine& base = *bundle.base;
  Eigen::VectorXd row = Eigen::VectorXd::Zero(whole.rows());
  for (const size_t c : {base.first, base.second})
    for (int i = 0; i < 6; ++i) {
      const double step = i < 3 ? 1e-6 : 1e-4;
      const auto changed = [&](double by) {
        Pose first = bundle.cameras[base.first].pose, second = bundle.cameras[base.second].pose;
        Pose& one = c == base.first ? first : second;
        (i < 3 ? one.rotation[i] : one.translation[i - 3]) += by;
        return baseResidual(base, first, second);
      };
      row[static_cast<Eigen::Index>(c) * kBundleNumbers + static_cast<Eigen::Index>(lensNumbers) +
          i] = (changed(step) - changed(-step)) / (2 * step);
    }
  whole += row * row.transpose();
}

/// Calls `action` with each number that another place of a camera shares with the camera: its
/// index, and that of the camera's own number.
template <class Action>
void forEachShared(const std::vector<BundleCamera>& cameras, Action action) {
  for (size_t c = 0; c < cameras.size(); ++c) {
    if (!cameras[c].placeOf) continue;
    const auto place = static_cast<Eigen::Index>(c) * kBundleNumbers;
    const auto camera = static_cast<Eigen::Index>(*cameras[c].placeOf) * kBundleNumbers;
    for (Eigen::Index n = 0; n < kBundleNumbers; ++n)
      if (n < static_cast<Eigen::Index>(lensNumbers) || n >= kTimeNumber)
        action(place + n, camera + n);
  }
}

}  // namespace

std::optional<Eigen::MatrixXd> covarianceOf(const Bundle& bundle) {
  const auto size = static_cast<Eigen::Index>(bundle.cameras.size()) * kBundleNumbers;
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(size, size);
  std::vector<ItemNormal> items(bundle.items.size());
  for (const BundleSight& s : bundle.sights) addSight(bundle, s, items[s.item], whole);
  for (size_t i = 0; i < items.size(); ++i) eliminate(bundle, bundle.items[i], items[i], whole);
  addBase(bundle, whole);
  forEachShared(bundle.cameras, [&](Eigen::Index place, Eigen::Index camera) {
    whole.row(camera) += whole.row(place).eval();
    whole.col(camera) += whole.col(place).eval();
    whole.row(place).setZero();
    whole.col(place).setZero();
  });
  addPriors(bundle.cameras, whole);
  auto covariance = inverseOfFree(bundle.cameras, whole);
  if (!covariance) return covariance;
  forEachShared(bundle.cameras, [&](Eigen::Index place, Eigen::Index camera) {
    covariance->row(place) = covariance->row(camera).eval();
    covariance->col(place) = covariance->col(camera).eval();
  });
  return covariance;
}

void addPriors(const std::vector<BundleCamera>& cameras, Eigen::MatrixXd& whole) {
  for (size_t c = 0; c < cameras.size(); ++c)
    for (size_t i = 0; i < lensNumbers; ++i) {
      const auto at = static_cast<Eigen::Index>(c) * kBundleNumbers + static_cast<Eigen::Index>(i);
      const double sigma = cameras[c].priorSigma[i];
      if (sigma > 0) whole(at, at) += 1 / (sigma * sigma);
    }
}

std::optional<Eigen::MatrixXd> inverseOfFree(const std::vector<BundleCamera>& cameras,
                                             const Eigen::MatrixXd& whole) {
  const auto places = freePlaces(cameras);
  const Eigen::MatrixXd normal = whole(places, places);
  // The numbers have very different sizes, so the matrix is scaled to a unit diagonal first.
  if (!(normal.diagonal().minCoeff() > 0)) return std::nullopt;
  const Eigen::VectorXd scale = normal.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * normal * scale.asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> solver(scaled);
  if (solver.info() != Eigen::Success) return std::nullopt;
  const Eigen::MatrixXd inverse =
      solver.solve(Eigen::MatrixXd::Identity(scaled.rows(), scaled.cols()));
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(whole.rows(), whole.cols());
  result(places, places) = scale.asDiagonal() * inverse * scale.asDiagonal();
  return result;
}

Eigen::MatrixXd rigCovariance(const std::vector<BundleCamera>& all,
                              const Eigen::MatrixXd& covariance) {
  const auto cameras = static_cast<Eigen::Index>(all.size());
  Eigen::MatrixXd by = Eigen::MatrixXd::Zero(cameras * kCameraNumbers, cameras * kBundleNumbers);
  for (Eigen::Index c = 0; c < cameras; ++c) {
    const Lens& lens = all[static_cast<size_t>(c)].lens;
    by(c * kCameraNumbers, c * kBundleNumbers) = 1;
    by(c * kCameraNumbers + 1, c * kBundleNumbers) = lens.fy / lens.fx;
    by(c * kCameraNumbers + 1, c * kBundleNumbers + aspect) = lens.fx;
    for (Eigen::Index n = 1; n + 1 < Lens::kNumbers; ++n)
      by(c * kCameraNumbers + n + 1, c * kBundleNumbers + n) = 1;
    for (Eigen::Index n = 0; n < 6; ++n)
      by(c * kCameraNumbers + Lens::kNumbers + n, c * kBundleNumbers + lensNumbers + n) = 1;
  }
  return by * covariance * by.transpose();
}

}  // namespace glint::motion
