#include "app/calibrate/bundle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <ceres/ceres.h>

namespace glint {
namespace {

using LensBlock = std::array<double, lensNumbers>;
using PoseBlock = std::array<double, 6>;

LensBlock lensBlock(const Lens& l) {
  return {l.fx, l.cx, l.cy, l.k1, l.k2, l.p1, l.p2, l.k3};
}

Lens lensOf(const double* b, double aspect) {
  return {b[focal],   b[focal] * aspect, b[centreX],     b[centreY], b[radial1],
          b[radial2], b[tangential1],    b[tangential2], b[radial3]};
}

Pose poseOf(const double* b) {
  return {{b[0], b[1], b[2]}, {b[3], b[4], b[5]}};
}

/// A sight's residual in standard deviations, and what it changes by. The item's are by both ends.
struct Equation {
  Eigen::Vector2d residual;
  Eigen::Matrix<double, 2, lensNumbers> lens;
  Eigen::Matrix<double, 2, 6> pose;
  Eigen::Vector2d time;
  Eigen::Matrix<double, 2, 6> item;
};

/// Where the light is `after` the moment, and how fast.
struct Place {
  Eigen::Vector3d at, velocity;
};

Place placeOf(const BundleItem& item, const double* ends, double fraction, double after) {
  const auto blend = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b) -> Eigen::Vector3d {
    return a + fraction * (b - a);
  };
  const bool two = item.ends.size() > 1;
  const Eigen::Vector3d first(ends[0], ends[1], ends[2]);
  Place place{first, Eigen::Vector3d::Zero()};
  if (two) place.at = blend(first, {ends[3], ends[4], ends[5]});
  if (item.velocity.empty()) return place;
  const Eigen::Vector3d v = two ? blend(item.velocity[0], item.velocity[1]) : item.velocity[0];
  const Eigen::Vector3d a =
      two ? blend(item.acceleration[0], item.acceleration[1]) : item.acceleration[0];
  place.at += after * v + 0.5 * after * after * a;
  place.velocity = v + after * a;
  return place;
}

/// False where the light is behind the camera.
bool equationOf(const BundleSight& s, const BundleItem& item, const Lens& lens, const Pose& pose,
                double time, const double* ends, Equation& e, bool derivatives) {
  constexpr double kNearest = 1e-3;  // mm
  const Place place = placeOf(item, ends, s.fraction, s.delay + time);
  ProjectionDerivatives d;
  const Projection p = project(lens, pose, place.at, derivatives ? &d : nullptr);
  const Eigen::Vector2d weight = s.sigma.cwiseInverse();
  e.residual = weight.cwiseProduct(p.pixel - s.pixel);
  if (!(p.depth > kNearest) || !e.residual.allFinite()) return false;
  if (!derivatives) return true;
  const auto scale = weight.asDiagonal();
  e.lens.col(focal) = scale * (d.lens.col(0) + lens.fy / lens.fx * d.lens.col(1));
  e.lens.rightCols<lensNumbers - 1>() = scale * d.lens.rightCols<Lens::kNumbers - 2>();
  e.pose = scale * d.pose;
  e.time = scale * (d.point * place.velocity);
  e.item.leftCols<3>() = (1 - s.fraction) * (scale * d.point);
  e.item.rightCols<3>() = s.fraction * (scale * d.point);
  return true;
}

template <int kEnds>
class SightCost : public ceres::SizedCostFunction<2, lensNumbers, 6, 1, 3 * kEnds> {
 public:
  SightCost(const BundleSight& sight, const BundleItem& item, double aspect)
      : sight_(sight), item_(item), aspect_(aspect) {}

  bool Evaluate(double const* const* blocks, double* residuals, double** slopes) const override {
    Equation e;
    if (!equationOf(sight_, item_, lensOf(blocks[0], aspect_), poseOf(blocks[1]), *blocks[2],
                    blocks[3], e, slopes != nullptr))
      return false;
    residuals[0] = e.residual.x();
    residuals[1] = e.residual.y();
    if (slopes == nullptr) return true;
    put<lensNumbers>(slopes[0], e.lens);
    put<6>(slopes[1], e.pose);
    if (slopes[2] != nullptr) slopes[2][0] = e.time.x(), slopes[2][1] = e.time.y();
    if (slopes[3] == nullptr) return true;
    if constexpr (kEnds == 1)
      put<3>(slopes[3], e.item.leftCols<3>() + e.item.rightCols<3>());
    else
      put<6>(slopes[3], e.item);
    return true;
  }

 private:
  template <int kWidth>
  static void put(double* to, const Eigen::Matrix<double, 2, kWidth>& from) {
    if (to != nullptr) Eigen::Map<Eigen::Matrix<double, 2, kWidth, Eigen::RowMajor>>{to} = from;
  }

  const BundleSight& sight_;
  const BundleItem& item_;
  double aspect_;
};

/// |b - a| of six numbers against a length.
class LengthCost : public ceres::SizedCostFunction<1, 6> {
 public:
  LengthCost(double length, double sigma) : length_(length), sigma_(sigma) {}

  bool Evaluate(double const* const* blocks, double* residuals, double** slopes) const override {
    const Eigen::Map<const Eigen::Vector3d> a(blocks[0]), b(blocks[0] + 3);
    const double distance = (b - a).norm();
    residuals[0] = (distance - length_) / sigma_;
    if (slopes == nullptr || slopes[0] == nullptr) return true;
    const Eigen::Vector3d along = (b - a) / std::max(distance, 1e-12) / sigma_;
    Eigen::Map<Eigen::Vector3d>{slopes[0]} = -along;
    Eigen::Map<Eigen::Vector3d>{slopes[0] + 3} = along;
    return true;
  }

 private:
  double length_, sigma_;
};

/// The distance of two cameras' centres, as good as exact: a gauge, no measurement.
double baseResidual(const BaseLine& base, const Pose& first, const Pose& second) {
  constexpr double kExact = 1e-6;  // of the distance
  return ((first.centre() - second.centre()).norm() / base.distance - 1) / kExact;
}

struct BaseCost {
  bool operator()(const double* first, const double* second, double* residual) const {
    *residual = baseResidual(base, poseOf(first), poseOf(second));
    return true;
  }
  BaseLine base;
};

class PriorCost : public ceres::SizedCostFunction<lensNumbers, lensNumbers> {
 public:
  explicit PriorCost(const BundleCamera& camera) : mean_(lensBlock(camera.prior)) {
    for (size_t i = 0; i < lensNumbers; ++i)
      weight_[i] = camera.priorSigma[i] > 0 ? 1 / camera.priorSigma[i] : 0;
  }

  bool Evaluate(double const* const* blocks, double* residuals, double** slopes) const override {
    for (size_t i = 0; i < lensNumbers; ++i) residuals[i] = weight_[i] * (blocks[0][i] - mean_[i]);
    if (slopes == nullptr || slopes[0] == nullptr) return true;
    std::fill_n(slopes[0], lensNumbers * lensNumbers, 0.0);
    for (size_t i = 0; i < lensNumbers; ++i) slopes[0][i * lensNumbers + i] = weight_[i];
    return true;
  }

 private:
  LensBlock mean_, weight_;
};

/// The bundle's numbers as Ceres wants them, and back.
class Blocks {
 public:
  explicit Blocks(Bundle& bundle) : bundle_(bundle) {
    for (const BundleCamera& c : bundle.cameras) {
      lenses_.push_back(lensBlock(c.lens));
      poses_.push_back({c.pose.rotation.x(), c.pose.rotation.y(), c.pose.rotation.z(),
                        c.pose.translation.x(), c.pose.translation.y(), c.pose.translation.z()});
      times_.push_back(c.timeOffset);
    }
    for (const BundleItem& item : bundle.items) {
      auto& block = items_.emplace_back();
      for (size_t e = 0; e < item.ends.size(); ++e)
        for (int i = 0; i < 3; ++i) block[3 * e + static_cast<size_t>(i)] = item.ends[e][i];
    }
  }

  void addTo(ceres::Problem& problem, ceres::LossFunction* loss) {
    const bool wand = bundle_.length > 0;
    for (const BundleSight& s : bundle_.sights) {
      const BundleItem& item = bundle_.items[s.item];
      const double aspect = bundle_.cameras[s.camera].lens.fy / bundle_.cameras[s.camera].lens.fx;
      ceres::CostFunction* cost = nullptr;
      if (wand)
        cost = new SightCost<2>(s, item, aspect);
      else
        cost = new SightCost<1>(s, item, aspect);
      problem.AddResidualBlock(cost, loss, lenses_[s.camera].data(), poses_[s.camera].data(),
                               &times_[s.camera], items_[s.item].data());
    }
    for (size_t i = 0; i < items_.size(); ++i) {
      if (!problem.HasParameterBlock(items_[i].data())) continue;
      if (wand && !bundle_.itemsFixed)
        problem.AddResidualBlock(new LengthCost(bundle_.length, bundle_.lengthSigma), nullptr,
                                 items_[i].data());
      if (bundle_.itemsFixed) problem.SetParameterBlockConstant(items_[i].data());
    }
    for (size_t c = 0; c < lenses_.size(); ++c) addCamera(problem, c);
    if (const auto& base = bundle_.base)
      problem.AddResidualBlock(
          new ceres::NumericDiffCostFunction<BaseCost, ceres::CENTRAL, 1, 6, 6>(
              new BaseCost{*base}),
          nullptr, poses_[base->first].data(), poses_[base->second].data());
  }

  /// Lights are eliminated first.
  ceres::ParameterBlockOrdering* ordering(const ceres::Problem& problem) {
    auto* order = new ceres::ParameterBlockOrdering;
    for (auto& item : items_)
      if (problem.HasParameterBlock(item.data())) order->AddElementToGroup(item.data(), 0);
    for (size_t c = 0; c < lenses_.size(); ++c)
      for (double* block : {lenses_[c].data(), poses_[c].data(), &times_[c]})
        if (problem.HasParameterBlock(block)) order->AddElementToGroup(block, 1);
    return order;
  }

  void store() {
    for (size_t c = 0; c < lenses_.size(); ++c) {
      BundleCamera& camera = bundle_.cameras[c];
      camera.lens = lensOf(lenses_[c].data(), camera.lens.fy / camera.lens.fx);
      camera.pose = poseOf(poses_[c].data());
      camera.timeOffset = times_[c];
    }
    for (size_t i = 0; i < items_.size(); ++i)
      for (size_t e = 0; e < bundle_.items[i].ends.size(); ++e)
        bundle_.items[i].ends[e] = Eigen::Vector3d(items_[i].data() + 3 * e);
  }

 private:
  void addCamera(ceres::Problem& problem, size_t c) {
    const BundleCamera& camera = bundle_.cameras[c];
    double* const lens = lenses_[c].data();
    if (!problem.HasParameterBlock(lens)) return;
    std::vector<int> held;
    for (size_t i = 0; i < lensNumbers; ++i)
      if (!camera.free[i]) held.push_back(static_cast<int>(i));
    if (held.size() == lensNumbers)
      problem.SetParameterBlockConstant(lens);
    else if (!held.empty())
      problem.SetManifold(lens, new ceres::SubsetManifold(lensNumbers, held));
    if (held.size() < lensNumbers) problem.AddResidualBlock(new PriorCost(camera), nullptr, lens);
    if (!camera.freePose) problem.SetParameterBlockConstant(poses_[c].data());
    if (!camera.freeTime) problem.SetParameterBlockConstant(&times_[c]);
  }

  Bundle& bundle_;
  std::vector<LensBlock> lenses_;
  std::vector<PoseBlock> poses_;
  std::vector<double> times_;
  std::vector<std::array<double, 6>> items_;
};

/// Which of the cameras' numbers are free, as places in the whole.
std::vector<Eigen::Index> freePlaces(const Bundle& bundle) {
  std::vector<Eigen::Index> places;
  for (size_t c = 0; c < bundle.cameras.size(); ++c) {
    const BundleCamera& camera = bundle.cameras[c];
    const auto first = static_cast<Eigen::Index>(c) * kBundleNumbers;
    for (size_t i = 0; i < lensNumbers; ++i)
      if (camera.free[i]) places.push_back(first + static_cast<Eigen::Index>(i));
    for (int i = 0; i < 6 && camera.freePose; ++i)
      places.push_back(first + static_cast<Eigen::Index>(lensNumbers) + i);
    if (camera.freeTime) places.push_back(first + kTimeNumber);
  }
  return places;
}

/// One item's part of the normal equations.
struct ItemNormal {
  Eigen::Matrix<double, 6, 6> own = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, Eigen::Dynamic> mixed;
  std::vector<size_t> cameras;  // in mixed, kBundleNumbers columns each
};

void addSight(const Bundle& bundle, const BundleSight& s, ItemNormal& item,
              Eigen::MatrixXd& whole) {
  const BundleCamera& camera = bundle.cameras[s.camera];
  const BundleItem& at = bundle.items[s.item];
  std::array<double, 6> ends{};
  for (size_t e = 0; e < at.ends.size(); ++e)
    for (int i = 0; i < 3; ++i) ends[3 * e + static_cast<size_t>(i)] = at.ends[e][i];
  Equation e;
  if (!equationOf(s, at, camera.lens, camera.pose, camera.timeOffset, ends.data(), e, true)) return;
  Eigen::Matrix<double, 2, kBundleNumbers> slope;
  slope << e.lens, e.pose, e.time;
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

/// Takes an item out of the whole: minus mixed^T own^-1 mixed.
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

/// The base line's row, by differences.
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

}  // namespace

double adjust(Bundle& bundle, int mostSteps, double loss, bool redescending) {
  constexpr double kGain = 1e-8;  // of the cost, below which a step is the last
  ceres::Problem::Options options;
  options.loss_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
  ceres::HuberLoss huber(loss);
  ceres::CauchyLoss cauchy(loss);
  ceres::Problem problem(options);
  Blocks blocks(bundle);
  blocks.addTo(problem, redescending ? static_cast<ceres::LossFunction*>(&cauchy) : &huber);
  ceres::Solver::Options solver;
  solver.linear_solver_type = ceres::DENSE_SCHUR;
  solver.linear_solver_ordering.reset(blocks.ordering(problem));
  solver.num_threads = 2;
  solver.max_num_iterations = mostSteps;
  solver.function_tolerance = kGain;
  solver.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  ceres::Solve(solver, &problem, &summary);
  if (!summary.IsSolutionUsable()) return std::numeric_limits<double>::infinity();
  blocks.store();
  return summary.final_cost;
}

std::optional<Eigen::Vector2d> residualOf(const Bundle& bundle, const BundleSight& s) {
  const BundleCamera& camera = bundle.cameras[s.camera];
  const BundleItem& item = bundle.items[s.item];
  std::array<double, 6> ends{};
  for (size_t e = 0; e < item.ends.size(); ++e)
    for (int i = 0; i < 3; ++i) ends[3 * e + static_cast<size_t>(i)] = item.ends[e][i];
  Equation e;
  if (!equationOf(s, item, camera.lens, camera.pose, camera.timeOffset, ends.data(), e, false))
    return std::nullopt;
  return e.residual.cwiseProduct(s.sigma);
}

std::optional<Eigen::MatrixXd> covarianceOf(const Bundle& bundle) {
  const auto size = static_cast<Eigen::Index>(bundle.cameras.size()) * kBundleNumbers;
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(size, size);
  std::vector<ItemNormal> items(bundle.items.size());
  for (const BundleSight& s : bundle.sights) addSight(bundle, s, items[s.item], whole);
  for (size_t i = 0; i < items.size(); ++i) eliminate(bundle, bundle.items[i], items[i], whole);
  addBase(bundle, whole);
  for (size_t c = 0; c < bundle.cameras.size(); ++c)
    for (size_t i = 0; i < lensNumbers; ++i) {
      const auto at = static_cast<Eigen::Index>(c) * kBundleNumbers + static_cast<Eigen::Index>(i);
      const double sigma = bundle.cameras[c].priorSigma[i];
      if (sigma > 0) whole(at, at) += 1 / (sigma * sigma);
    }
  const auto places = freePlaces(bundle);
  const Eigen::MatrixXd normal = whole(places, places);
  // Numbers of very different sizes: scaled to a unit diagonal first.
  if (!(normal.diagonal().minCoeff() > 0)) return std::nullopt;
  const Eigen::VectorXd scale = normal.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * normal * scale.asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> solver(scaled);
  if (solver.info() != Eigen::Success) return std::nullopt;
  const Eigen::MatrixXd inverse =
      solver.solve(Eigen::MatrixXd::Identity(scaled.rows(), scaled.cols()));
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(size, size);
  result(places, places) = scale.asDiagonal() * inverse * scale.asDiagonal();
  return result;
}

}  // namespace glint
