// Collects rows of Glint's tables by columns, with the values that Glint's files have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glint::motion {
struct Frame;
}  // namespace glint::motion

namespace glint::python {

/// A table that grows by the rows of each frame. Its values are those that a program would read
/// from the files of `glint track`: rounded to the decimals of their column. Only one thread may
/// use it.
class FrameTable {
 public:
  enum class Kind {
    tracks,   ///< rows of tracks.csv, which come once they are final
    live,     ///< the columns of tracks.csv, with the tracks as they are known at each frame
    markers,  ///< rows of detections.csv
    points,   ///< rows of points.csv
    poses     ///< rows of poses.csv
  };
  enum class Type { integers, floats, texts };

  struct Column {
    std::string_view name;
    Type type = Type::integers;
    // The vector for the column's type has one value per row; the other two are empty.
    std::vector<int64_t> integers = {};
    std::vector<double> floats = {};   ///< NaN where the row has no value
    std::vector<uint32_t> texts = {};  ///< indices into words()
  };

  explicit FrameTable(Kind kind);

  /// Adds the rows of all cameras, or only of `camera`. The first frame decides which of the
  /// optional columns the table has, such as those of a template that is searched for.
  void add(const motion::Frame& frame, std::optional<size_t> camera = std::nullopt);

  size_t rows() const { return rows_; }
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<std::string>& words() const { return words_; }
  Kind kind() const { return kind_; }
  bool fitted() const { return fitted_; }  ///< returns true if the table has a template's columns

 private:
  void beginAs(const motion::Frame* first);
  template <class Table>
  void begin(const motion::Frame* first);
  template <class Table>
  void take(const motion::Frame& frame, size_t camera);
  uint32_t wordOf(const std::string& text);

  Kind kind_;
  bool begun_ = false, fitted_ = false;
  size_t rows_ = 0;
  std::vector<Column> columns_;
  std::vector<size_t> places_;  // index of each column in the file's table
  std::vector<int> decimals_;
  std::vector<std::string> words_;
};

}  // namespace glint::python
