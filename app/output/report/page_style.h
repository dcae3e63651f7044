// The beginning and the script of a page.
#pragma once

#include <string>
#include <string_view>

namespace glint::output::report {

/// Returns a page up to its heading, which is also its title, with the style sheet. A `scripted`
/// page may run kPageScript.
std::string beginPage(const std::string& title, bool scripted);

/// A script for pages: pointing at a track in one chart dims the others in all charts of the
/// camera.
extern const std::string_view kPageScript;

}  // namespace glint::output::report
