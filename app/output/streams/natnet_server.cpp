#include "app/output/streams/natnet_server.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/output/streams/natnet_clients.h"
#include "app/output/streams/udp.h"
#include "config/error.h"

namespace glint::output {
namespace {

constexpr std::array<uint8_t, 4> kGroup{239, 255, 42, 99};
// The most datagrams that are read before the thread looks whether it is to end.
constexpr int kAtOnce = 64;

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A file descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

std::string wordsOf(const sockaddr_in& address) {
  std::array<char, INET_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
  return fmt::format("{}:{}", text.data(), ntohs(address.sin_port));
}

sockaddr_in withPort(sockaddr_in address, unsigned port) {
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

/// Opens a UDP socket that is bound to an address. `shared`: others may bind to it, too.
int openBound(const sockaddr_in& address, bool shared, const std::string& option) {
  const int file = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file < 0) throw Error("{}: cannot open a UDP socket: {}", option, std::strerror(errno));
  const int yes = shared ? 1 : 0;
  ::setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  constexpr int kBytes = 1 << 20;
  ::setsockopt(file, SOL_SOCKET, SO_RCVBUF, &kBytes, sizeof kBytes);
  if (::bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int why = errno;
    ::close(file);
    throw Error("{}: cannot listen on {}: {}", option, wordsOf(address), std::strerror(why));
  }
  return file;
}

/// Opens the socket that frames leave from. Clients on this machine bind to its port, too, to get
/// the frames of the group.
int openData(const sockaddr_in& address, const std::string& option) {
  const int file = openBound(address, true, option);
  // For the group, the interface with the server's address. A whole frame must fit.
  constexpr int kBytes = 1 << 20;
  ::setsockopt(file, SOL_SOCKET, SO_SNDBUF, &kBytes, sizeof kBytes);
  ::setsockopt(file, IPPROTO_IP, IP_MULTICAST_IF, &address.sin_addr, sizeof address.sin_addr);
  return file;
}

/// Sends a packet without waiting. Returns false, with errno, if it did not leave.
bool sendPacket(int socket, const std::string& packet, const sockaddr_in& to) {
  return ::sendto(socket, packet.data(), packet.size(), MSG_DONTWAIT,
                  reinterpret_cast<const sockaddr*>(&to), sizeof to) >= 0;
}

/// Returns the number of sets a second since the present pass began, from their times.
class SetRate {
 public:
  void see(uint64_t set, double time) {
    if (!first_ || set <= last_) first_ = Seen{set, time};
    last_ = set;
    if (set > first_->set && time > first_->time)
      rate_ = static_cast<double>(set - first_->set) / (time - first_->time);
  }
  double rate() const { return rate_; }

 private:
  struct Seen {
    uint64_t set;
    double time;
  };
  std::optional<Seen> first_;
  uint64_t last_ = 0;
  double rate_ = 0;
};

class NatnetServer : public Sink {
 public:
  NatnetServer(const sockaddr_in& address, const std::string& option, NatnetEncoder encoder)
      : encoder_(std::move(encoder)),
        dataPort_(static_cast<uint16_t>(ntohs(address.sin_port) + 1)),
        commands_(openBound(address, false, option)),
        data_(openData(withPort(address, dataPort_), option)),
        stop_(::eventfd(0, EFD_CLOEXEC)) {
    if (stop_.get() < 0) throw Error("{}: cannot make an event: {}", option, std::strerror(errno));
    group_.sin_family = AF_INET;
    std::memcpy(&group_.sin_addr, kGroup.data(), kGroup.size());
    group_ = withPort(group_, dataPort_);
    thread_ = std::thread([this] { serve(); });
  }
  ~NatnetServer() override {
    ::eventfd_write(stop_.get(), 1);
    thread_.join();
  }

  void accept(const motion::FramePtr& frame) override;
  std::string state() const override;

 private:
  /// A client that gets a frame. See NatnetEncoder::frame() for `changed`.
  struct Receiver {
    sockaddr_in address;
    NatnetVersion version;
    bool changed;
  };

  void serve();
  void readCommands();
  void emptyData();
  void carryOut(const NatnetRequest& request, const sockaddr_in& from);
  std::string answerOf(const std::string& command, NatnetClient& client);
  std::vector<Receiver> receivers();
  /// Counts a packet and the entries that it lacks. `mutex_` is locked.
  void countLeftOut(uint64_t entries) {
    incomplete_ += entries > 0 ? 1 : 0;
    leftOut_ += entries;
  }

  const NatnetEncoder encoder_;
  const uint16_t dataPort_;
  const Descriptor commands_, data_, stop_;
  sockaddr_in group_{};
  /// Protects what follows, except the thread.
  mutable std::mutex mutex_;
  NatnetClients clients_;
  SetRate rate_;
  std::array<std::string, 2> latest_;  ///< the latest frame for each version, where one was made
  uint64_t incomplete_ = 0, leftOut_ = 0;
  std::thread thread_;  // the last member, because the thread uses the others
};

/// Returns everybody who gets the next frame: the group, and the clients that send keep-alives.
std::vector<NatnetServer::Receiver> NatnetServer::receivers() {
  const std::lock_guard lock(mutex_);
  std::vector<Receiver> all{{group_, clients_.groupVersion(), false}};
  for (NatnetClient& client : clients_.all())
    if (client.receiving)
      all.push_back({client.address, client.version, std::exchange(client.versionChanged, false)});
  return all;
}

void NatnetServer::accept(const motion::FramePtr& frame) {
  std::array<std::string, 2> packets;
  uint64_t leftOut = 0;
  std::string problem;
  for (const Receiver& to : receivers()) {
    std::string changed;
    std::string& packet = to.changed ? changed : packets.at(static_cast<size_t>(to.version));
    if (packet.empty()) {
      NatnetPacket made = encoder_.frame(*frame, to.version, to.changed);
      packet = std::move(made.bytes);
      leftOut = std::max(leftOut, made.leftOut);
    }
    if (!sendPacket(data_.get(), packet, to.address) && problem.empty())
      problem = fmt::format("cannot send to {}: {}", wordsOf(to.address), std::strerror(errno));
  }
  {
    const std::lock_guard lock(mutex_);
    const auto* space = frame->results.get<motion::SpaceFrame>();
    if (space != nullptr && space->frame) rate_.see(frame->set.value(), space->time);
    countLeftOut(leftOut);
    for (size_t version = 0; version < packets.size(); ++version)
      if (!packets.at(version).empty()) latest_.at(version) = std::move(packets.at(version));
  }
  if (!problem.empty()) throw NotTaken(problem);
}

std::string NatnetServer::state() const {
  const std::lock_guard lock(mutex_);
  const size_t clients = clients_.receiving();
  std::string words =
      clients == 0 ? "no client" : fmt::format("{} client{}", clients, clients == 1 ? "" : "s");
  if (incomplete_ > 0)
    words += fmt::format("; {} packet{} did not fit into a datagram: {} entries were left out",
                         incomplete_, incomplete_ == 1 ? "" : "s", leftOut_);
  return words;
}

/// Answers requests until the end. Forgets clients that are silent.
void NatnetServer::serve() {
  constexpr int kTick = 1000;  // ms
  std::array<pollfd, 3> files{
      {{commands_.get(), POLLIN, 0}, {data_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
  for (;;) {
    const bool some = ::poll(files.data(), files.size(), kTick) > 0;
    {
      const std::lock_guard lock(mutex_);
      clients_.expire(secondsNow());
    }
    if (!some) continue;
    if (files[2].revents != 0) return;
    if (files[0].revents != 0) readCommands();
    if (files[1].revents != 0) emptyData();
  }
}

/// Reads what has come to the data port, where nobody has anything to say, and forgets it.
void NatnetServer::emptyData() {
  char byte = 0;
  for (int n = 0; n < kAtOnce && ::recv(data_.get(), &byte, 1, 0) >= 0; ++n) {
  }
}

/// Answers the requests that have come.
void NatnetServer::readCommands() {
  // Enough for every request; what is longer is cut off and then not understood.
  constexpr size_t kLongest = 4096;
  std::array<char, kLongest> bytes{};
  for (int n = 0; n < kAtOnce; ++n) {
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t length = ::recvfrom(commands_.get(), bytes.data(), bytes.size(), 0,
                                      reinterpret_cast<sockaddr*>(&from), &size);
    if (length < 0) return;
    if (const auto request = parseNatnetRequest({bytes.data(), static_cast<size_t>(length)}))
      carryOut(*request, from);
  }
}

void NatnetServer::carryOut(const NatnetRequest& request, const sockaddr_in& from) {
  using Message = NatnetMessage;
  std::string answer;
  const double now = secondsNow();
  {
    const std::lock_guard lock(mutex_);
    const NatnetClient* known = clients_.find(from);
    const NatnetVersion version = known ? known->version : NatnetVersion::v3_1;
    // Requests that leave nothing behind are answered for everybody.
    if (request.kind == Message::discovery) {
      answer = natnetServerInfo(version, dataPort_, kGroup);
    } else if (request.kind == Message::echoRequest) {
      answer = natnetEcho(request.echo, natnetTicks(now));
    } else if (request.kind == Message::disconnect) {
      clients_.remove(from);
    } else if (request.kind == Message::requestFrame) {
      answer = latest_.at(static_cast<size_t>(version));
    } else if (request.kind == Message::requestModels) {
      NatnetPacket models = encoder_.models(version);
      countLeftOut(models.leftOut);
      answer = std::move(models.bytes);
    } else if (request.kind != Message::connect && request.kind != Message::keepAlive &&
               request.kind != Message::request) {
      answer = natnetUnrecognised();
    } else if (NatnetClient* client = clients_.hear(from, now)) {
      if (request.kind == Message::connect) {
        client->version = request.version.value_or(NatnetVersion::v3_1);
        answer = natnetServerInfo(client->version, dataPort_, kGroup);
      } else if (request.kind == Message::keepAlive) {
        client->receiving = client->unicast = true;
      } else {
        answer = answerOf(request.command, *client);
      }
    }
  }
  // An answer that does not leave is lost, as it may be on its way: clients ask again.
  if (!answer.empty()) sendPacket(commands_.get(), answer, from);
}

/// Returns the answer to a command. Motive's commands that steer recording and playing are not
/// understood.
std::string NatnetServer::answerOf(const std::string& command, NatnetClient& client) {
  constexpr std::string_view kBitstream = "Bitstream";
  if (command == "FrameRate") return natnetAnswer(static_cast<float>(rate_.rate()));
  if (command == "UnitsToMillimeters") return natnetAnswer(1000.0F);
  if (command == "UpAxis") return natnetAnswer(encoder_.axes().up() == UpAxis::y ? 1 : 2);
  if (command == "AnalogSamplesPerMocapFrame") return natnetAnswer(0);
  if (command == kBitstream)
    return natnetAnswer(fmt::format("{},{}", kBitstream, nameOf(client.version)));
  if (command.starts_with(kBitstream) && command[kBitstream.size()] == ',') {
    const auto version = natnetVersionOf(std::string_view(command).substr(kBitstream.size() + 1));
    if (!version) return natnetAnswer(1);  // refused; the stream stays as it is
    client.versionChanged = client.versionChanged || client.version != *version;
    client.version = *version;
    return natnetAnswer(0);
  }
  return natnetUnrecognised();
}

}  // namespace

std::unique_ptr<Sink> makeNatnetServer(const std::string& place, bool remote,
                                       const std::string& option, NatnetEncoder encoder) {
  const std::string host = place.empty() ? "127.0.0.1" : place;
  const UdpAddress found = resolveUdp(
      host.find(':') == std::string::npos ? fmt::format("{}:{}", host, kNatnetPort) : host, remote,
      option);
  if (found.bytes.ss_family != AF_INET)
    throw UsageError("{}: NatNet knows IPv4 addresses only", option);
  sockaddr_in address{};
  std::memcpy(&address, &found.bytes, sizeof address);
  if (ntohs(address.sin_port) == UINT16_MAX)
    throw UsageError("{}: the data port, which is the one after 65535, does not exist", option);
  return std::make_unique<NatnetServer>(address, option, std::move(encoder));
}

}  // namespace glint::output
