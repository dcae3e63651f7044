// Passwords in addresses: every text that comes in (the command line, settings, requests, the
// window's field, the list of recent files) goes through hideSecrets(), and from then on only shown
// addresses are at hand. What writes (messages, records, reports, lists) has nothing to hide.
#pragma once

#include <string>
#include <string_view>

namespace glint {

/// `text` with *** in place of the secrets of all addresses (`scheme://...`, but for `file://`) in
/// it: "http://user:***@camera/?token=***2". An address that begins the text is all of it.
///
/// Secrets are what stands behind the user's name, a user's name that looks like a key, the values
/// of whatever is called key, password, token and the like, and what looks like a key in the path
/// or as a value: at least 16 letters and digits. They are kept in this process, for revealed(),
/// and nowhere else; different ones of else equal addresses have different marks. Thread-safe.
std::string hideSecrets(std::string_view text);

/// The same for texts of others, such as a library's messages, but keeps no secret. Known secrets
/// of four characters and more are hidden wherever they appear.
std::string withoutSecrets(std::string_view text);

/// The real address of one that hideSecrets() returned: for opening it, never for printing it.
/// Throws Error where this process does not know its secrets.
std::string revealed(const std::string& shown);

/// Whether revealed() would succeed.
bool canReveal(const std::string& shown);

}  // namespace glint
