// Rows of Glint's tables by columns, with the values that their files have.
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

/// A table that grows by the rows of each frame. A value is the one that a program reads from the
/// file of `glint track`: rounded to its decimals. One thread.
class FrameTable {
 public:
  enum class Kind {
    tracks,   ///< tracks.csv: rows once they are final
    live,     ///< the same columns: tracks as they are known at each frame
    markers,  ///< detections.csv
    points,   ///< points.csv
    poses     ///< poses.csv
  };
  enum class Type { integers, floats, texts };

  struct Column {
    std::string_view name;
    Type type = Type::integers;
    // Of these, the one of its type has a value a row.
    std::vector<int64_t> integers = {};
    std::vector<double> floats = {};   ///< NaN where there is none
    std::vector<uint32_t> texts = {};  ///< indices into words()
  };

  explicit FrameTable(Kind kind);

  /// Adds all rows of all cameras, or of one. The first frame decides whether there are columns of
  /// a picture that is sought.
  void add(const motion::Frame& frame, std::optional<size_t> camera = std::nullopt);

  size_t rows() const { return rows_; }
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<std::string>& words() const { return words_; }
  Kind kind() const { return kind_; }
  bool fitted() const { return fitted_; }  ///< whether there are columns of a picture

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
  std::vector<size_t> places_;  // of them in the table
  std::vector<int> decimals_;
  std::vector<std::string> words_;
};

}  // namespace glint::python
