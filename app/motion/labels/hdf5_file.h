// The parts of HDF5 files that are read here, through libhdf5. Internal to labels/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <hdf5.h>

namespace glint::motion {

/// An open object of libhdf5, which is closed at the end.
class Hdf5Handle {
 public:
  /// Throws Error, which says that `what` is damaged, if `id` is not valid.
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what);
  ~Hdf5Handle() { close_(id_); }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// An HDF5 file that is open for reading. All members throw Error without the file's name. Before
/// they allocate memory, they check that the file can hold as much data as it claims.
class Hdf5File {
 public:
  static constexpr uint64_t kMostValues = 100'000'000;  ///< in one dataset

  explicit Hdf5File(const std::string& path);

  /// Returns true if there is an object at this path, such as "/group/table", in the file itself.
  bool has(const std::string& path) const;
  /// Returns the lengths of a dataset's axes.
  std::vector<uint64_t> shape(const std::string& path) const;
  /// Returns the numbers of a dataset, in its own order.
  std::vector<double> numbers(const std::string& path) const;
  /// Returns the texts of a dataset with one axis.
  std::vector<std::string> texts(const std::string& path) const;
  /// Returns the text of an attribute of an object; empty if there is no such attribute.
  std::optional<std::string> attribute(const std::string& path, const std::string& name) const;

  /// The rows of a table of pandas: the number of each row, and its values one after another.
  struct Rows {
    std::vector<int64_t> numbers;
    std::vector<double> values;
  };
  /// Returns the columns `index` and `values_block_0` of a table, `width` values a row.
  Rows rows(const std::string& path, uint64_t width) const;

 private:
  Hdf5Handle open(const std::string& path) const;

  Hdf5Handle file_;
};

}  // namespace glint::motion
