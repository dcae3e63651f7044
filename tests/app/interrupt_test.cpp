// Tests sources that send nothing, and how waiting for them ends.
#include "app/capture/source/interrupt.h"

#include <fstream>
#include <optional>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/capture/video/demuxer.h"
#include "tests/app/clips.h"
#include "tests/app/pictures.h"

namespace glint {
namespace {

/// A server on this machine that accepts connections and sends only what the test gives it.
class Server {
 public:
  Server() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const at = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket_, at, size), 0);
    EXPECT_EQ(::listen(socket_, 4), 0);
    EXPECT_EQ(::getsockname(socket_, at, &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~Server() {
    if (connection_ >= 0) ::close(connection_);
    ::close(socket_);
  }
  std::string url() const { return "tcp://127.0.0.1:" + std::to_string(port_); }
  /// Waits for a connection and sends the bytes. The connection stays open.
  void send(const std::string& bytes) {
    connection_ = ::accept(socket_, nullptr, nullptr);
    for (size_t at = 0; at < bytes.size();) {
      const ssize_t count = ::send(connection_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (count <= 0) break;
      at += static_cast<size_t>(count);
    }
  }

 private:
  int socket_;
  int connection_ = -1;
  int port_ = 0;
};

class InterruptTest : public FolderTest {
 protected:
  void expectOpeningEnds(const std::string& spec) {
    std::thread other([&] { interrupt_.set(); });
    EXPECT_THROW(capture::openSource(Address(spec), &interrupt_), capture::Interrupted) << spec;
    other.join();
    interrupt_.clear();
  }
  capture::Interrupt interrupt_;
};

TEST_F(InterruptTest, IsSetWhileHeld) {
  EXPECT_FALSE(interrupt_.isSet());
  {
    const capture::Interrupt::Hold hold(interrupt_);
    EXPECT_TRUE(interrupt_.isSet());
    interrupt_.clear();
    EXPECT_TRUE(interrupt_.isSet());
  }
  EXPECT_FALSE(interrupt_.isSet());
  interrupt_.set();
  EXPECT_TRUE(interrupt_.isSet());
}

TEST_F(InterruptTest, OpeningAStreamThatSaysNothing) {
  const Server server;
  expectOpeningEnds(server.url());
}

TEST_F(InterruptTest, OpeningAPipeThatNobodyWrites) {
  for (const char* name : {"video", "video.mkv", "image.png"}) {
    ASSERT_EQ(mkfifo(path(name).c_str(), 0600), 0);
    expectOpeningEnds(path(name));
  }
}

TEST_F(InterruptTest, ReadingAStreamThatFallsSilent) {
  test::writeClip(path("a.ts"), {.encoder = "mpeg2video", .keyInterval = 10});
  Server server;
  std::thread sender([&] { server.send(test::load(path("a.ts"))); });
  const auto source = capture::openSource(Address(server.url()), &interrupt_);
  sender.join();
  EXPECT_FALSE(source->canSeek());
  Picture picture(source->format());
  ASSERT_EQ(source->read(picture.view()).state, gpu::CameraState::frame);
  std::thread other([&] { interrupt_.set(); });
  gpu::CameraState state = gpu::CameraState::frame;
  while (state == gpu::CameraState::frame) state = source->read(picture.view()).state;
  EXPECT_EQ(state, gpu::CameraState::none);
  other.join();
}

TEST_F(InterruptTest, SilenceHasItsOwnWords) {
  const Server server;
  try {
    capture::Demuxer(Address(server.url()), true, nullptr, std::chrono::milliseconds(200));
    FAIL() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "cannot open '" + server.url() + "': no data for 0.2 s");
  }
  test::writeClip(path("a.ts"), {.encoder = "mpeg2video", .keyInterval = 10});
  Server other;
  std::thread sender([&] { other.send(test::load(path("a.ts"))); });
  capture::Demuxer demuxer(Address(other.url()), true, nullptr, std::chrono::milliseconds(4000));
  sender.join();
  const capture::libav::Packet packet(av_packet_alloc());
  while (demuxer.read(*packet)) av_packet_unref(packet.get());
  EXPECT_EQ(demuxer.failure(), "no data for 4 s");
}

TEST_F(InterruptTest, APipeThatIsWrittenIsRead) {
  test::writeClip(path("a.mkv"), {.encoder = "mjpeg", .frames = 30});
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer(
      [&] { std::ofstream(path("pipe"), std::ios::binary) << test::load(path("a.mkv")); });
  const auto source = capture::openSource(Address(path("pipe")), &interrupt_);
  EXPECT_FALSE(source->canSeek());
  EXPECT_THROW(source->seek(FrameNumber(1)), Error);
  const Contents file = readAll(path("a.mkv"));
  ASSERT_EQ(file.times.size(), 30U);
  Picture picture(source->format());
  for (const Picture& expected : file.pictures) {
    ASSERT_EQ(source->read(picture.view()).state, gpu::CameraState::frame);
    EXPECT_TRUE(picture.bytes == expected.bytes);
  }
  EXPECT_EQ(source->read(picture.view()).state, gpu::CameraState::ended);
  writer.join();
}

}  // namespace
}  // namespace glint
