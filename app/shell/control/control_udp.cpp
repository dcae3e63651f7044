#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <lo/lo.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/base/log.h"
#include "app/output/streams/udp.h"
#include "app/shell/control/control_server.h"
#include "config/error.h"

namespace glint::shell {
namespace {

constexpr int kUdpPatience = 50;            // ms, time between two checks if the thread has to end
constexpr size_t kLargestDatagram = 65536;  // bytes

/// The sender of one datagram, to whom answers are sent. Keeps the socket open for as long as an
/// answer may come.
class Sender {
 public:
  explicit Sender(std::shared_ptr<const ControlSocket> socket) : socket_(std::move(socket)) {}

  /// Receives a datagram. Returns its size in bytes; 0 if there is none.
  size_t receive(std::vector<char>& datagram) {
    const ssize_t n = ::recvfrom(socket_->handle(), datagram.data(), datagram.size(), 0,
                                 reinterpret_cast<sockaddr*>(&address_), &size_);
    return static_cast<size_t>(std::max<ssize_t>(n, 0));
  }

  /// Sends an answer. Returns false if all answers together would be too long. Ignores other
  /// reasons why it may not arrive.
  bool send(std::string_view bytes) const {
    size_t left = *left_;
    do {
      if (bytes.size() > left) return false;
    } while (!left_->compare_exchange_weak(left, left - bytes.size()));
    ::sendto(socket_->handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL,
             reinterpret_cast<const sockaddr*>(&address_), size_);
    return true;
  }

  /// Returns the same sender, for answers of less than `bytes` bytes in all.
  Sender within(size_t bytes) const {
    Sender sender = *this;
    sender.left_ = std::make_shared<std::atomic<size_t>>(bytes - 1);
    return sender;
  }

 private:
  static constexpr size_t kMostAnswered = 65507;  // bytes that one datagram can hold

  std::shared_ptr<const ControlSocket> socket_;
  sockaddr_storage address_{};
  socklen_t size_ = sizeof(sockaddr_storage);
  std::shared_ptr<std::atomic<size_t>> left_ = std::make_shared<std::atomic<size_t>>(kMostAnswered);
};

std::string oscAnswer(const std::string& problem) {
  const std::unique_ptr<void, void (*)(lo_message)> message(lo_message_new(), lo_message_free);
  lo_message_add_int32(message.get(), problem.empty() ? 1 : 0);
  lo_message_add_string(message.get(), problem.c_str());
  size_t size = 0;
  const std::unique_ptr<void, decltype(&std::free)> bytes(
      lo_message_serialise(message.get(), "/glint/answer", nullptr, &size), std::free);
  return {static_cast<const char*>(bytes.get()), bytes ? size : 0};
}

/// Returns the arguments of a message; empty if they are not all texts.
std::optional<std::vector<std::string>> textsOf(lo_message message) {
  std::vector<std::string> texts;
  for (const char* type = lo_message_get_types(message); *type != '\0'; ++type) {
    if (*type != 's' && *type != 'S') return std::nullopt;
    // Arguments begin at multiples of four bytes. They must not be read through lo_arg, which
    // contains a double and needs an alignment of eight.
    texts.emplace_back(reinterpret_cast<const char*>(lo_message_get_argv(message)[texts.size()]));
  }
  return texts;
}

class UdpServer : public ControlServer {
 public:
  UdpServer(Control& control, ControlAccess access, std::shared_ptr<const ControlSocket> socket)
      : control_(control),
        access_(std::move(access)),
        socket_(std::move(socket)),
        thread_([this](const std::stop_token& stop) { work(stop); }) {}

 private:
  void work(const std::stop_token& stop) {
    std::vector<char> datagram(kLargestDatagram);
    while (!stop.stop_requested()) {
      pollfd ready{socket_->handle(), POLLIN, 0};
      if (::poll(&ready, 1, kUdpPatience) <= 0) continue;
      Sender from(socket_);
      const std::string_view text(datagram.data(), from.receive(datagram));
      if (text.empty()) continue;
      const bool isOsc = text.front() == '/';
      try {
        isOsc ? osc(text, from) : json(text, from);
      } catch (const WrongToken& error) {
        refuse(error.what(), isOsc, from.within(text.size()));
      }
    }
  }

  /// Refuses a datagram without the right token, and ignores the rest of it. The sender gets one
  /// answer that is shorter than the datagram, or none.
  void refuse(const std::string& problem, bool isOsc, const Sender& from) {
    if (!std::exchange(refusalLogged_, true))
      base::log(
          base::LogLevel::warning,
          "refused a control request without the right token; later ones are refused without a "
          "message");
    if (isOsc)
      from.send(oscAnswer(problem)) || from.send(oscAnswer("no"));
    else
      from.send(fmt::format("{{\"ok\":false,\"error\":\"{}\"}}\n", problem)) ||
          from.send("{\"ok\":false}\n");
  }

  void json(std::string_view text, const Sender& from) {
    while (!text.empty()) {
      const size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      control_.json(line, access_, [from](const std::string& answer) {
        if (!from.send(answer + '\n'))
          from.send("{\"ok\":false,\"error\":\"the answer is too long for a datagram\"}\n");
      });
    }
  }

  void osc(std::string_view bytes, const Sender& from) {
    const session::Answer answer = [from](const std::string& problem) {
      from.send(oscAnswer(problem));
    };
    try {
      std::string copy(bytes);  // liblo changes what it reads
      int error = 0;
      const std::unique_ptr<void, void (*)(lo_message)> message(
          lo_message_deserialise(copy.data(), copy.size(), &error), lo_message_free);
      auto texts = message ? textsOf(message.get()) : std::nullopt;
      if (access_.token) {
        access_.token->check(texts && !texts->empty() ? texts->back() : "");
        texts->pop_back();
      }
      if (!message) throw UsageError("this is not an OSC message");
      const std::string path(bytes.substr(0, bytes.find('\0')));
      if (path != kStart && path != kStop)
        throw UsageError("there is no '{}'; there are {} and {}", path, kStart, kStop);
      if (!texts || texts->size() > 1) throw UsageError("the argument must be one string");
      const std::string name = texts->empty() ? "" : texts->front();
      if (path == kStart)
        control_.startRecording(name, access_, answer);
      else
        control_.stopRecording(name, answer);
    } catch (const WrongToken&) {
      throw;
    } catch (const std::exception& error) {
      answer(error.what());
    }
  }

  static constexpr std::string_view kStart = "/glint/record/start", kStop = "/glint/record/stop";

  Control& control_;
  const ControlAccess access_;
  std::shared_ptr<const ControlSocket> socket_;
  bool refusalLogged_ = false;  // true once a wrong token was reported
  std::jthread thread_;         // the last member, because the thread uses the others
};

}  // namespace

ControlSocket::ControlSocket(const std::string& address, bool remote, const std::string& option) {
  const output::UdpAddress own = output::resolveUdp(address, remote, option);
  socket_ = ::socket(own.bytes.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0 ||
      ::bind(socket_, reinterpret_cast<const sockaddr*>(&own.bytes), own.size) != 0) {
    const int error = errno;
    if (socket_ >= 0) ::close(socket_);
    throw Error("{}: cannot listen there: {}", option, std::strerror(error));
  }
}

ControlSocket::~ControlSocket() {
  ::close(socket_);
}

std::unique_ptr<ControlServer> controlByUdp(Control& control, ControlAccess access,
                                            std::shared_ptr<const ControlSocket> socket) {
  return std::make_unique<UdpServer>(control, std::move(access), std::move(socket));
}

}  // namespace glint::shell
