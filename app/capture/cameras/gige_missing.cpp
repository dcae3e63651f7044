// Refuses GigE Vision and USB3 Vision cameras if Glint was built without Aravis.

#include "app/capture/source/source_kinds.h"
#include "config/error.h"

namespace glint::capture {

extern const SourceKind kGigeKind{
    .sort = SourceKind::Sort::camera,
    .help = "GigE or USB3 Vision camera (not in this build)",
    .accepts = [](const std::string& spec) { return spec.starts_with("gige:"); },
    .open = [](const Address& address, const Interrupt*,
               const Settings::Camera&) -> std::unique_ptr<Source> {
      throw UsageError("'{}' needs Aravis, which this Glint was built without", address.shown());
    },
    .network = true};

}  // namespace glint::capture
