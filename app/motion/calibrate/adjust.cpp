#include "app/motion/calibrate/adjust.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ceres/ceres.h>

#include "app/motion/calibrate/blocks.h"
#include "app/motion/calibrate/equation.h"

namespace glint::motion {
namespace {

/// All numbers of a camera, in the order of kBundleNumbers. The free ones form a single block of
/// Ceres, because each pair of blocks costs the Schur complement as much time as several more
/// numbers in one block.
class CameraNumbers {
 public:
  using All = std::array<double, kBundleNumbers>;

  explicit CameraNumbers(const BundleCamera& c) : fisheye_(c.lens.fisheye) {
    const LensBlock lens = lensBlock(c.lens);
    const PoseBlock pose = poseBlock(c.pose);
    std::copy(lens.begin(), lens.end(), all_.begin());
    std::copy(pose.begin(), pose.end(), all_.begin() + kPose);
    all_[kTimeNumber] = c.timeOffset;
    all_[kReadoutNumber] = c.readout;
    for (size_t n = 0; n < kPose; ++n)
      if (c.free[n]) free_.push_back(n);
    for (size_t n = kPose; n < kTimeNumber && c.freePose; ++n) free_.push_back(n);
    if (c.freeTime) free_.push_back(kTimeNumber);
    if (c.freeReadout) free_.push_back(kReadoutNumber);
    for (size_t i = 0; i < free_.size(); ++i) block_[i] = all_[free_[i]];
  }

  double* block() { return block_.data(); }
  int size() const { return static_cast<int>(free_.size()); }
  const std::vector<size_t>& free() const { return free_; }

  /// Returns all numbers, with the free ones taken from `block`.
  All with(const double* block) const {
    All all = all_;
    for (size_t i = 0; i < free_.size(); ++i) all[free_[i]] = block[i];
    return all;
  }
  Lens lens(const All& all) const { return lensOf(all.data(), fisheye_); }
  static Pose pose(const All& all) { return poseOf(all.data() + kPose); }

  /// Takes over all numbers but the pose from `camera`, of which this is another place.
  static void share(All& all, const All& camera) {
    std::copy_n(camera.begin(), kPose, all.begin());
    std::copy(camera.begin() + kTimeNumber, camera.end(), all.begin() + kTimeNumber);
  }

  void store(BundleCamera& to) const {
    const All all = with(block_.data());
    to.lens = lens(all);
    to.pose = pose(all);
    to.timeOffset = all[kTimeNumber];
    to.readout = all[kReadoutNumber];
  }

  /// Copies the derivatives by the free numbers out of the derivatives by all numbers.
  template <class Slopes>
  void putFree(double* to, const Slopes& all) const {
    for (Eigen::Index row = 0; row < all.rows(); ++row)
      for (const size_t n : free_) *to++ = all(row, static_cast<Eigen::Index>(n));
  }

 private:
  static constexpr size_t kPose = lensNumbers;

  All all_{};
  bool fisheye_;
  std::vector<size_t> free_;
  // Ceres eliminates blocks in the order of their addresses. Those of the cameras of a vector are
  // in the order of the cameras, so the last digits do not depend on where memory was free.
  All block_{};
};

/// Residual of one sight. Its parameter blocks are that of the camera, if any of the camera's
/// numbers is free, that of the camera of which it is another place, likewise, and that of the item
/// with its `kEnds` ends.
template <int kEnds>
class SightCost : public ceres::CostFunction {
 public:
  /// `owner` is the camera of which `camera` is another place, or null.
  SightCost(const BundleSight& sight, const BundleItem& item, const CameraNumbers& camera,
            const CameraNumbers* owner)
      : sight_(sight), item_(item), camera_(camera), owner_(owner) {
    set_num_residuals(2);
    for (const CameraNumbers* of : {&camera, owner})
      if (of != nullptr && of->size() > 0) mutable_parameter_block_sizes()->push_back(of->size());
    mutable_parameter_block_sizes()->push_back(3 * kEnds);
  }

  bool Evaluate(double const* const* blocks, double* residuals, double** slopes) const override {
    const size_t second = camera_.size() > 0 ? 1 : 0;
    const size_t last = second + (owner_ != nullptr && owner_->size() > 0 ? 1 : 0);
    auto numbers = camera_.with(blocks[0]);
    if (owner_ != nullptr) CameraNumbers::share(numbers, owner_->with(blocks[second]));
    Equation e;
    const double late = numbers[kTimeNumber] + numbers[kReadoutNumber] * sight_.row;
    if (!equationOf(sight_, item_, camera_.lens(numbers), CameraNumbers::pose(numbers), late,
                    blocks[last], e, slopes != nullptr))
      return false;
    residuals[0] = e.residual.x();
    residuals[1] = e.residual.y();
    if (slopes == nullptr) return true;
    Eigen::Matrix<double, 2, kBundleNumbers> all;
    all << e.lens, e.pose, e.time, e.time * sight_.row;
    if (second > 0 && slopes[0] != nullptr) camera_.putFree(slopes[0], all);
    if (last > second && slopes[second] != nullptr) {
      all.middleCols<6>(lensNumbers).setZero();
      owner_->putFree(slopes[second], all);
    }
    if constexpr (kEnds == 1)
      putBlock<3>(slopes[last], e.item.leftCols<3>() + e.item.rightCols<3>());
    else
      putBlock<6>(slopes[last], e.item);
    return true;
  }

 private:
  const BundleSight& sight_;
  const BundleItem& item_;
  const CameraNumbers& camera_;
  const CameraNumbers* owner_;
};

/// Residual of a wand's length: the distance of the two ends in a block of six numbers, minus the
/// length.
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

/// Residual of the distance between two cameras. Its parameter blocks are those of the cameras that
/// have free numbers.
class BaseCost {
 public:
  BaseCost(const BaseLine& base, const CameraNumbers& first, const CameraNumbers& second)
      : base_(base), first_(first), second_(second) {}

  bool operator()(double const* const* blocks, double* residual) const {
    const double* const first = blocks[0];
    const double* const second = blocks[first_.size() > 0 ? 1 : 0];
    *residual = baseResidual(base_, CameraNumbers::pose(first_.with(first)),
                             CameraNumbers::pose(second_.with(second)));
    return true;
  }

 private:
  BaseLine base_;
  const CameraNumbers &first_, &second_;
};

/// Residuals that pull a lens weakly to its prior.
class PriorCost : public ceres::CostFunction {
 public:
  PriorCost(const BundleCamera& camera, const CameraNumbers& numbers)
      : mean_(lensBlock(camera.prior)), numbers_(numbers) {
    for (size_t i = 0; i < lensNumbers; ++i)
      weight_[i] = camera.priorSigma[i] > 0 ? 1 / camera.priorSigma[i] : 0;
    set_num_residuals(lensNumbers);
    mutable_parameter_block_sizes()->push_back(numbers.size());
  }

  bool Evaluate(double const* const* blocks, double* residuals, double** slopes) const override {
    const auto all = numbers_.with(blocks[0]);
    for (size_t i = 0; i < lensNumbers; ++i) residuals[i] = weight_[i] * (all[i] - mean_[i]);
    if (slopes == nullptr || slopes[0] == nullptr) return true;
    Eigen::Matrix<double, lensNumbers, kBundleNumbers> slope;
    slope.setZero();
    for (size_t i = 0; i < lensNumbers; ++i)
      slope(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) = weight_[i];
    numbers_.putFree(slopes[0], slope);
    return true;
  }

 private:
  LensBlock mean_, weight_;
  const CameraNumbers& numbers_;
};

/// Converts the numbers of a bundle to parameter blocks of Ceres and back.
class Blocks {
 public:
  explicit Blocks(Bundle& bundle) : bundle_(bundle) {
    for (const BundleCamera& c : bundle.cameras) cameras_.emplace_back(c);
    for (const BundleItem& item : bundle.items) items_.push_back(endsOf(item));
  }

  void addTo(ceres::Problem& problem, ceres::LossFunction* loss) {
    const bool wand = bundle_.length > 0;
    for (const BundleSight& s : bundle_.sights) {
      const BundleItem& item = bundle_.items[s.item];
      const auto placeOf = bundle_.cameras[s.camera].placeOf;
      CameraNumbers* const camera = &cameras_[s.camera];
      CameraNumbers* const owner = placeOf ? &cameras_[*placeOf] : nullptr;
      ceres::CostFunction* cost = nullptr;
      if (wand)
        cost = new SightCost<2>(s, item, *camera, owner);
      else
        cost = new SightCost<1>(s, item, *camera, owner);
      std::vector<double*> blocks;
      for (CameraNumbers* of : {camera, owner})
        if (of != nullptr && of->size() > 0) blocks.push_back(of->block());
      blocks.push_back(items_[s.item].data());
      problem.AddResidualBlock(cost, loss, blocks);
    }
    for (auto& item : items_) {
      if (!problem.HasParameterBlock(item.data())) continue;
      if (wand && !bundle_.itemsFixed)
        problem.AddResidualBlock(new LengthCost(bundle_.length, bundle_.lengthSigma), nullptr,
                                 item.data());
      if (bundle_.itemsFixed) problem.SetParameterBlockConstant(item.data());
    }
    for (size_t c = 0; c < cameras_.size(); ++c)
      if (const auto& free = bundle_.cameras[c].free;
          problem.HasParameterBlock(cameras_[c].block()) &&
          std::find(free.begin(), free.end(), true) != free.end())
        problem.AddResidualBlock(new PriorCost(bundle_.cameras[c], cameras_[c]), nullptr,
                                 cameras_[c].block());
    addBase(problem);
  }

  /// Returns the order of elimination: lights first, then cameras. The caller owns it.
  ceres::ParameterBlockOrdering* ordering(const ceres::Problem& problem) {
    auto* order = new ceres::ParameterBlockOrdering;
    for (auto& item : items_)
      if (problem.HasParameterBlock(item.data())) order->AddElementToGroup(item.data(), 0);
    for (CameraNumbers& camera : cameras_)
      if (problem.HasParameterBlock(camera.block())) order->AddElementToGroup(camera.block(), 1);
    return order;
  }

  void store() {
    for (size_t c = 0; c < cameras_.size(); ++c) cameras_[c].store(bundle_.cameras[c]);
    bundle_.sharePlaces();
    for (size_t i = 0; i < items_.size(); ++i)
      for (size_t e = 0; e < bundle_.items[i].ends.size(); ++e)
        bundle_.items[i].ends[e] = Eigen::Vector3d(items_[i].data() + 3 * e);
  }

 private:
  void addBase(ceres::Problem& problem) {
    if (!bundle_.base) return;
    CameraNumbers &first = cameras_[bundle_.base->first], &second = cameras_[bundle_.base->second];
    std::vector<double*> blocks;
    auto* cost = new ceres::DynamicNumericDiffCostFunction<BaseCost, ceres::CENTRAL>(
        new BaseCost(*bundle_.base, first, second));
    cost->SetNumResiduals(1);
    for (CameraNumbers* camera : {&first, &second}) {
      if (camera->size() == 0) continue;
      cost->AddParameterBlock(camera->size());
      blocks.push_back(camera->block());
    }
    if (blocks.empty())
      delete cost;
    else
      problem.AddResidualBlock(cost, nullptr, blocks);
  }

  Bundle& bundle_;
  std::vector<CameraNumbers> cameras_;
  std::vector<std::array<double, 6>> items_;
};

}  // namespace

double adjust(Bundle& bundle, int mostSteps, double loss, bool redescending) {
  ceres::Problem::Options options;
  options.loss_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
  ceres::HuberLoss huber(loss);
  ceres::CauchyLoss cauchy(loss);
  ceres::Problem problem(options);
  Blocks blocks(bundle);
  blocks.addTo(problem, redescending ? static_cast<ceres::LossFunction*>(&cauchy) : &huber);
  const double cost = solveBundle(problem, blocks.ordering(problem), mostSteps);
  if (std::isfinite(cost)) blocks.store();
  return cost;
}

}  // namespace glint::motion
