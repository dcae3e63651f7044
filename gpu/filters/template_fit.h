// How a picture that is sought fits.
#pragma once

namespace glint {

/// How it fits best at a place: degrees from x towards y, and its scale.
struct TemplateFit {
  double angle = 0, scale = 1;
};

}  // namespace glint
