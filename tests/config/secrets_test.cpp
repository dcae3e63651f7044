// Passwords in addresses, config/secrets.h.
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
    EXPECT_EQ(withoutSecrets(shown), shown) << text;
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
    // An address that begins the text is all of it.
    const bool isAddress = text.starts_with("http://") || text.starts_with("rtsp://");
    if (!isAddress || shown == text || !canReveal(shown)) continue;
    ASSERT_EQ(revealed(shown), text);
    ++opened;
  }
  EXPECT_GT(opened, 1000);
}

}  // namespace
}  // namespace glint
