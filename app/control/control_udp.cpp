#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <lo/lo.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/control/control_server.h"
#include "app/sinks/udp.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr int kPatience = 50;               // ms, between looks whether it is to end
constexpr size_t kLargestDatagram = 65536;  // bytes

/// Answers one sender; holds the socket as long as an answer is owed.
struct ReplyTo {
  std::shared_ptr<const ControlSocket> socket;
  sockaddr_storage address{};
  socklen_t size = sizeof(sockaddr_storage);

  /// False: it is too long for a datagram. What else keeps it from arriving concerns nobody else.
  bool send(const void* bytes, size_t count) const {
    return ::sendto(socket->handle(), bytes, count, MSG_NOSIGNAL,
                    reinterpret_cast<const sockaddr*>(&address), size) >= 0 ||
           errno != EMSGSIZE;
  }
};

void answerOsc(const ReplyTo& to, const std::string& problem) {
  const std::unique_ptr<void, void (*)(lo_message)> message(lo_message_new(), lo_message_free);
  lo_message_add_int32(message.get(), problem.empty() ? 1 : 0);
  lo_message_add_string(message.get(), problem.c_str());
  size_t size = 0;
  const std::unique_ptr<void, decltype(&std::free)> bytes(
      lo_message_serialise(message.get(), "/glint/answer", nullptr, &size), std::free);
  if (bytes) to.send(bytes.get(), size);
}

/// The first argument, if it is a text; empty without arguments.
std::string textOf(lo_message message) {
  const std::string types = lo_message_get_types(message);
  if (types.empty()) return "";
  if (types != "s" && types != "S") throw UsageError("the argument must be one text");
  return &lo_message_get_argv(message)[0]->s;
}

class UdpServer : public ControlServer {
 public:
  UdpServer(Control& control, std::shared_ptr<const ControlSocket> socket)
      : control_(control),
        socket_(std::move(socket)),
        thread_([this](const std::stop_token& stop) { work(stop); }) {}

 private:
  void work(const std::stop_token& stop) {
    std::vector<char> datagram(kLargestDatagram);
    while (!stop.stop_requested()) {
      pollfd ready{socket_->handle(), POLLIN, 0};
      if (::poll(&ready, 1, kPatience) <= 0) continue;
      ReplyTo from{.socket = socket_};
      const ssize_t n = ::recvfrom(socket_->handle(), datagram.data(), datagram.size(), 0,
                                   reinterpret_cast<sockaddr*>(&from.address), &from.size);
      if (n <= 0) continue;
      std::string_view text(datagram.data(), static_cast<size_t>(n));
      if (text.front() == '/')
        osc(text, from);
      else
        json(text, from);
    }
  }

  void json(std::string_view text, const ReplyTo& from) {
    while (!text.empty()) {
      const size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      control_.json(line, [from](const std::string& answer) {
        const std::string whole = answer + '\n';
        constexpr std::string_view kTooLong =
            "{\"ok\":false,\"error\":\"the answer is too long for a datagram\"}\n";
        if (!from.send(whole.data(), whole.size())) from.send(kTooLong.data(), kTooLong.size());
      });
    }
  }

  void osc(std::string_view bytes, const ReplyTo& from) {
    const Answer answer = [from](const std::string& problem) { answerOsc(from, problem); };
    try {
      std::string copy(bytes);  // liblo changes what it reads
      int error = 0;
      const std::unique_ptr<void, void (*)(lo_message)> message(
          lo_message_deserialise(copy.data(), copy.size(), &error), lo_message_free);
      if (!message) throw UsageError("this is no message of Open Sound Control");
      const std::string path(bytes.substr(0, bytes.find('\0')));
      if (path == "/glint/record/start")
        control_.startRecording(textOf(message.get()), answer);
      else if (path == "/glint/record/stop")
        control_.stopRecording(textOf(message.get()), answer);
      else
        throw UsageError(fmt::format(
            "there is no '{}'; there are /glint/record/start and /glint/record/stop", path));
    } catch (const std::exception& error) {
      answer(error.what());
    }
  }

  Control& control_;
  std::shared_ptr<const ControlSocket> socket_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace

ControlSocket::ControlSocket(const std::string& address, bool remote, const std::string& option) {
  const UdpAddress own = resolveUdp(address, remote, option);
  socket_ = ::socket(own.bytes.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0 ||
      ::bind(socket_, reinterpret_cast<const sockaddr*>(&own.bytes), own.size) != 0) {
    const int error = errno;
    if (socket_ >= 0) ::close(socket_);
    throw Error(fmt::format("{}: cannot listen there: {}", option, std::strerror(error)));
  }
}

ControlSocket::~ControlSocket() {
  ::close(socket_);
}

std::unique_ptr<ControlServer> controlByUdp(Control& control,
                                            std::shared_ptr<const ControlSocket> socket) {
  return std::make_unique<UdpServer>(control, std::move(socket));
}

}  // namespace glint
