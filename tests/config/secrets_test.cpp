// Tests how passwords in addresses are hidden (config/secrets.h).
#include "config/secrets.h"

#include <array>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace glint {
namespace {

TEST(Secrets, WhatIsShownHoldsNone) {
  for (const std::string text : {
           "http://user:secret@camera/",
           "http://a@b'@rtsp://%3A=@token=\nkey=abc***/",
           "see http://user:secret@ca://x\n:y@z/ twice",
           "***rtsp://http://secret1abcdefgh12345678user'token=a@b:\n\r",
       }) {
    const std::string shown = hideSecrets(text);
    EXPECT_NE(shown, text);
    EXPECT_EQ(hideSecrets(shown), shown) << text;
    EXPECT_EQ(Address(text).hideIn(shown), shown) << text;
  }
}

TEST(Secrets, AnAddressOfAnyPartsIsHiddenAtOnceAndOpenedAsItWas) {
  constexpr std::array<const char*, 25> kParts{"http://",
                                               "user",
                                               ":",
                                               "secret1",
                                               "@",
                                               "ca",
                                               "://",
                                               "\n",
                                               "\r",
                                               " ",
                                               "/",
                                               "?",
                                               "token=",
                                               "***",
                                               "'",
                                               "key=abc",
                                               "rtsp://",
                                               "2",
                                               "#",
                                               "=",
                                               "_",
                                               ",",
                                               "abcdefgh12345678",
                                               "%3A",
                                               "a@b"};
  std::mt19937 random(1);
  int opened = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (auto n = 2 + random() % 12; n > 0; --n) text += kParts[random() % kParts.size()];
    const std::string shown = hideSecrets(text);
    ASSERT_EQ(hideSecrets(shown), shown) << text;
    // If the text begins with an address, the whole text is that address.
    const bool isAddress = text.starts_with("http://") || text.starts_with("rtsp://");
    if (!isAddress || shown == text) continue;
    const Address address(text);
    ASSERT_TRUE(address.isComplete());
    ASSERT_EQ(address.real(), text);
    ASSERT_EQ(address.shown(), shown);
    ASSERT_EQ(HiddenText(text).addressOf(shown), address) << text;
    ++opened;
  }
  EXPECT_GT(opened, 1000);
}

TEST(Secrets, AnAddressThatWasShownCannotBeOpened) {
  const Address address("rtsp://user:secret@camera/live");
  EXPECT_EQ(address.shown(), "rtsp://user:***@camera/live");
  EXPECT_TRUE(address.isComplete());
  EXPECT_FALSE(Address(address.shown()).isComplete());
  EXPECT_NE(Address(address.shown()), address);
  EXPECT_TRUE(Address("a***.mp4").isComplete()) << "a file";
}

TEST(Secrets, AddressesThatWouldBeShownAlikeGetNumbers) {
  const auto all = tellApart({"rtsp://u:one1@camera/", "a.mp4", "rtsp://u:two2@camera/",
                              "rtsp://u:one1@camera/", "rtsp://u:three@camera/"});
  EXPECT_EQ(shownOf(all),
            (std::vector<std::string>{"rtsp://u:***@camera/", "a.mp4", "rtsp://u:***2@camera/",
                                      "rtsp://u:***@camera/", "rtsp://u:***3@camera/"}));
  EXPECT_EQ(all[2].real(), "rtsp://u:two2@camera/");
}

TEST(Secrets, WhatOthersSayOfAnAddressHoldsNoneOfItsSecrets) {
  const Address address("http://user:s%41crets@camera/?token=another1");
  EXPECT_EQ(address.hideIn("realm sAcrets, s%41crets: another1 failed, http://x:y@z/"),
            "realm ***, ***: *** failed, http://x:***@z/");
  EXPECT_EQ(Address("http://user:ab@camera/").hideIn("able"), "able") << "too short to tell";
}

TEST(Secrets, DifferentAddressesOfOneTextHaveDifferentMarks) {
  EXPECT_EQ(hideSecrets("of http://u:one@h/ and http://u:two@h/ and http://u:one@h/?token=three1"),
            "of http://u:***@h/ and http://u:***2@h/ and http://u:***@h/?token=***");
  EXPECT_EQ(hideSecrets("of http://u:one@h/ and http://u:one@h/"),
            "of http://u:***@h/ and http://u:***@h/");
}

TEST(Secrets, APartOfAHiddenTextGetsItsSecretsBack) {
  const HiddenText text("look=template:look=file:http://u:one@camera/v#3:threshold=0.5");
  EXPECT_EQ(text.shown(), "look=template:look=file:http://u:***@camera/v#3:threshold=0.5");
  const auto real = [&](const char* part) { return text.addressOf(part).real(); };
  EXPECT_EQ(real("file:http://u:***@camera/v#3"), "file:http://u:one@camera/v#3");
  EXPECT_EQ(real("file:http://u:***@camera/v"), "file:http://u:one@camera/v");
  EXPECT_EQ(real("http://u:***@other/v#3"), "http://u:***@other/v#3");
  EXPECT_EQ(real("file:a.png"), "file:a.png");
}

TEST(Secrets, EachPartOfAHiddenTextGetsItsOwnSecretsBack) {
  std::string text;
  for (int i = 0; i < 12; ++i) text += "x = \"file:http://u:pass" + std::to_string(i) + "@h/v\"\n";
  text += "y = \"file:http://h/v?token=abc2\"\nz = \"file:http://h/v?token=xyz\"\n";
  const HiddenText hidden(text);
  const auto real = [&](const std::string& part) { return hidden.addressOf(part).real(); };
  EXPECT_EQ(real("file:http://u:***@h/v"), "file:http://u:pass0@h/v");
  for (int i = 1; i < 12; ++i)
    EXPECT_EQ(real("file:http://u:***" + std::to_string(i + 1) + "@h/v"),
              "file:http://u:pass" + std::to_string(i) + "@h/v");
  EXPECT_EQ(real("file:http://h/v?token=***"), "file:http://h/v?token=abc2");
  EXPECT_EQ(real("file:http://h/v?token=***2"), "file:http://h/v?token=xyz");
  EXPECT_EQ(hidden.addressOf("file:http://h/v?token=***2").shown(), "file:http://h/v?token=***2");
}

}  // namespace
}  // namespace glint
