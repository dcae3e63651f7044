#include "app/calibrate/adjust.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ceres/ceres.h>

#include "app/calibrate/blocks.h"
#include "app/calibrate/equation.h"

namespace glint {
namespace {

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
    putBlock<lensNumbers>(slopes[0], e.lens);
    putBlock<6>(slopes[1], e.pose);
    if (slopes[2] != nullptr) slopes[2][0] = e.time.x(), slopes[2][1] = e.time.y();
    if (slopes[3] == nullptr) return true;
    if constexpr (kEnds == 1)
      putBlock<3>(slopes[3], e.item.leftCols<3>() + e.item.rightCols<3>());
    else
      putBlock<6>(slopes[3], e.item);
    return true;
  }

 private:
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
      poses_.push_back(poseBlock(c.pose));
      times_.push_back(c.timeOffset);
    }
    for (const BundleItem& item : bundle.items) {
      items_.push_back(endsOf(item));
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
    if (holdLens(problem, lens, camera.free))
      problem.AddResidualBlock(new PriorCost(camera), nullptr, lens);
    if (!camera.freePose) problem.SetParameterBlockConstant(poses_[c].data());
    if (!camera.freeTime) problem.SetParameterBlockConstant(&times_[c]);
  }

  Bundle& bundle_;
  std::vector<LensBlock> lenses_;
  std::vector<PoseBlock> poses_;
  std::vector<double> times_;
  std::vector<std::array<double, 6>> items_;
};

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

}  // namespace glint
