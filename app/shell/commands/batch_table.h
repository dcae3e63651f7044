// The table of recordings that `glint batch` writes; workflow/table.py tells its columns.
#pragma once

#include <cstddef>
#include <filesystem>

namespace glint::shell {

/// Whether it is named as a video or an image that Glint reads.
bool isRecordingFile(const std::filesystem::path& path);

/// Adds to the table `path` the recordings below `folder` that it does not name yet: videos, and
/// folders of images without a video beside them; not what is hidden, nor below `without`. Where
/// there is no table it is made. Rows that are there stay as they are. A file STEM.truth.csv beside
/// a recording is its truth. `probe`: new rows ask for a probe. Returns how many rows are new.
/// Throws UsageError where there is neither a row nor a recording, Error for what cannot be read or
/// written.
size_t addRecordings(const std::filesystem::path& path, const std::filesystem::path& folder,
                     const std::filesystem::path& without, bool probe);

}  // namespace glint::shell
