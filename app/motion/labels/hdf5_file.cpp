#include "app/motion/labels/hdf5_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "config/error.h"
#include "config/printable.h"

namespace glint::motion {
namespace {

constexpr uint64_t kMostTexts = 10'000, kMostTextBytes = 1 << 16;
/// Compression makes data at most about 1,030 times as small, so a dataset that claims more is
/// damaged.
constexpr uint64_t kMostCompression = 1100;

void check(bool holds, const std::string& what) {
  if (!holds) throw Error(what + " is damaged");
}

hid_t openFile(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // its messages would go to the terminal
  H5PLset_loading_state(0);                     // no code that a file names
  return H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
}

std::vector<uint64_t> shapeOf(hid_t dataset, const std::string& what) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, what);
  const int axes = H5Sget_simple_extent_ndims(space);
  check(axes >= 0 && axes <= H5S_MAX_RANK, what);
  std::vector<hsize_t> lengths(static_cast<size_t>(axes));
  check(H5Sget_simple_extent_dims(space, lengths.data(), nullptr) == axes, what);
  return {lengths.begin(), lengths.end()};
}

/// Returns the number of elements. Throws Error if they are too many, or more than the file can
/// hold.
uint64_t countOf(hid_t dataset, uint64_t most, uint64_t bytesEach, const std::string& what) {
  uint64_t count = 1;
  for (const uint64_t length : shapeOf(dataset, what)) {
    if (length > 0 && count > most / length) throw Error("{} has more than {} values", what, most);
    count *= length;
  }
  check(count == 0 || count * bytesEach / kMostCompression <= H5Dget_storage_size(dataset), what);
  return count;
}

/// Refuses data that lies in other files.
void checkOwnData(hid_t dataset, const std::string& what) {
  const Hdf5Handle properties(H5Dget_create_plist(dataset), H5Pclose, what);
  if (H5Pget_external_count(properties) != 0 || H5Pget_layout(properties) == H5D_VIRTUAL)
    throw Error("{} lies in another file, which is not read", what);
}

/// Cuts off what follows the end of a text of fixed length.
std::string textOf(const char* bytes, size_t size) {
  return {bytes, std::find(bytes, bytes + size, '\0')};
}

/// Returns the memory type for texts of this file type, which must be one.
hid_t textType(hid_t type, const std::string& what) {
  if (H5Tget_class(type) != H5T_STRING) throw Error("{} holds no text", what);
  const hid_t memory = H5Tcopy(type);
  H5Tset_cset(memory, H5Tget_cset(type));
  return memory;
}

}  // namespace

Hdf5Handle::Hdf5Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what)
    : id_(id), close_(close) {
  check(id >= 0, what);
}

Hdf5File::Hdf5File(const std::string& path) : file_(openFile(path), H5Fclose, "the file") {}

bool Hdf5File::has(const std::string& path) const {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    H5L_info_t link;
    if (H5Lexists(file_, part.c_str(), H5P_DEFAULT) <= 0 ||
        H5Lget_info(file_, part.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
      return false;
    if (end == std::string::npos) return true;
  }
}

Hdf5Handle Hdf5File::open(const std::string& path) const {
  if (!has(path)) throw Error("there is no {}", path);
  return {H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose, path};
}

std::vector<uint64_t> Hdf5File::shape(const std::string& path) const {
  return shapeOf(open(path), path);
}

std::vector<double> Hdf5File::numbers(const std::string& path) const {
  const Hdf5Handle dataset = open(path);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, path);
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) throw Error("{} holds no numbers", path);
  checkOwnData(dataset, path);
  std::vector<double> all(countOf(dataset, kMostValues, H5Tget_size(type), path));
  check(all.empty() ||
            H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) >= 0,
        path);
  return all;
}

std::vector<std::string> Hdf5File::texts(const std::string& path) const {
  const Hdf5Handle dataset = open(path);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, path);
  const uint64_t count = countOf(dataset, kMostTexts, H5Tget_size(type), path);
  std::vector<std::string> all;
  if (count == 0) return all;  // h5py writes an empty list of texts as numbers
  const Hdf5Handle memory(textType(type, path), H5Tclose, path);
  checkOwnData(dataset, path);
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> pointers(count, nullptr);
    check(H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) >= 0, path);
    for (const char* text : pointers) all.emplace_back(text == nullptr ? "" : text);
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, path);
    H5Dvlen_reclaim(memory, space, H5P_DEFAULT, pointers.data());
    return all;
  }
  const size_t size = H5Tget_size(type);
  check(size > 0 && size <= kMostTextBytes, path);
  std::vector<char> bytes(count * size);
  check(H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0, path);
  for (uint64_t i = 0; i < count; ++i) all.push_back(textOf(bytes.data() + i * size, size));
  return all;
}

std::optional<std::string> Hdf5File::attribute(const std::string& path,
                                               const std::string& name) const {
  const std::string what = fmt::format("the attribute {} of {}", name, path);
  const Hdf5Handle object(H5Oopen(file_, path.c_str(), H5P_DEFAULT), H5Oclose, path);
  if (H5Aexists(object, name.c_str()) <= 0) return std::nullopt;
  const Hdf5Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose, what);
  const Hdf5Handle memory(textType(type, what), H5Tclose, what);
  const Hdf5Handle space(H5Aget_space(attribute), H5Sclose, what);
  check(H5Sget_simple_extent_npoints(space) == 1, what);
  if (H5Tis_variable_str(type) > 0) {
    char* pointer = nullptr;
    check(H5Aread(attribute, memory, &pointer) >= 0, what);
    std::string text = pointer == nullptr ? "" : pointer;
    H5Dvlen_reclaim(memory, space, H5P_DEFAULT, &pointer);
    return text;
  }
  constexpr size_t kMostBytes = 1 << 24;
  const size_t size = H5Tget_size(type);
  check(size > 0 && size <= kMostBytes, what);
  std::vector<char> bytes(size);
  check(H5Aread(attribute, memory, bytes.data()) >= 0, what);
  return textOf(bytes.data(), size);
}

Hdf5File::Rows Hdf5File::rows(const std::string& path, uint64_t width) const {
  const Hdf5Handle dataset = open(path);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, path);
  checkOwnData(dataset, path);
  check(H5Tget_class(type) == H5T_COMPOUND, path);
  const int index = H5Tget_member_index(type, "index");
  const int values = H5Tget_member_index(type, "values_block_0");
  check(index >= 0 && values >= 0, path);
  if (H5Tget_member_class(type, static_cast<unsigned>(index)) != H5T_INTEGER)
    throw Error("its rows are not numbered: it holds labels of single images, not of a video");
  const Hdf5Handle block(H5Tget_member_type(type, static_cast<unsigned>(values)), H5Tclose, path);
  hsize_t length = 0;
  check(H5Tget_class(block) == H5T_ARRAY && H5Tget_array_ndims(block) == 1 &&
            H5Tget_array_dims2(block, &length) == 1 && length == width && width > 0,
        path);
  const uint64_t count = countOf(dataset, kMostValues / width, H5Tget_size(type), path);
  Rows rows;
  rows.numbers.resize(count);
  rows.values.resize(count * width);
  if (count == 0) return rows;
  const Hdf5Handle numbers(H5Tcreate(H5T_COMPOUND, sizeof(int64_t)), H5Tclose, path);
  check(H5Tinsert(numbers, "index", 0, H5T_NATIVE_INT64) >= 0 &&
            H5Dread(dataset, numbers, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.numbers.data()) >= 0,
        path);
  const Hdf5Handle array(H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &length), H5Tclose, path);
  const Hdf5Handle row(H5Tcreate(H5T_COMPOUND, width * sizeof(double)), H5Tclose, path);
  check(H5Tinsert(row, "values_block_0", 0, array) >= 0 &&
            H5Dread(dataset, row, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.values.data()) >= 0,
        path);
  return rows;
}

}  // namespace glint::motion
