// The SSHSIG format (OpenSSH, PROTOCOL.sshsig; hardware keys: PROTOCOL.u2f) on top of libsodium's Ed25519.
#include "store/signature.hpp"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "backend/host/process.hpp"
#include "base/text.hpp"
#include "glass/jit/error.hpp"

namespace glass::jit {

namespace {

constexpr char plain_kind[] = "ssh-ed25519", hardware_kind[] = "sk-ssh-ed25519@openssh.com";
constexpr char first_line[] = "-----BEGIN SSH SIGNATURE-----", last_line[] = "-----END SSH SIGNATURE-----";
constexpr std::size_t largest_key_file = 64 << 10;

const unsigned char* raw(std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); }

[[noreturn]] void refuse(errc code, const std::string& message, const std::string& hint = {}) {
  throw error(code, stage::store, message, hint);
}

// SSH's strings: four bytes of length, most significant first.
std::string number(std::uint32_t n) {
  return {char(n >> 24), char(n >> 16 & 0xff), char(n >> 8 & 0xff), char(n & 0xff)};
}
std::string counted(std::string_view s) { return number(std::uint32_t(s.size())).append(s); }

class reader {
 public:
  explicit reader(std::string_view s) : left_(s) {}
  std::string_view take(std::size_t n) {
    if (n > left_.size()) refuse(errc::store, "its signature is cut short");
    const std::string_view part = left_.substr(0, n);
    left_.remove_prefix(n);
    return part;
  }
  std::uint32_t number() {
    const auto* b = raw(take(4));
    return std::uint32_t(b[0]) << 24 | std::uint32_t(b[1]) << 16 | std::uint32_t(b[2]) << 8 | b[3];
  }
  std::string_view string() { return take(number()); }
  void end() const {
    if (!left_.empty()) refuse(errc::store, "its signature has something behind its end");
  }

 private:
  std::string_view left_;
};

std::string base64(std::string_view bytes, int variant = sodium_base64_VARIANT_ORIGINAL) {
  std::string text(sodium_base64_ENCODED_LEN(bytes.size(), variant), '\0');
  sodium_bin2base64(text.data(), text.size(), raw(bytes), bytes.size(), variant);
  text.pop_back();  // its zero
  return text;
}
std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes(text.size(), '\0');
  std::size_t n = 0;
  const char* end = nullptr;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(), text.size(),
                        " \t\r\n", &n, &end, sodium_base64_VARIANT_ORIGINAL) != 0 ||
      end != text.data() + text.size())
    return {};
  bytes.resize(n);
  return bytes;
}
// 32 bytes as they are, as 64 hex digits or as base64.
std::optional<std::string> thirty_two_bytes(std::string_view text) {
  if (text.size() == 32) return std::string(text);
  while (!text.empty() && std::strchr(" \t\r\n", text.back())) text.remove_suffix(1);
  if (text.size() == 64) {
    std::string bytes(32, '\0');
    std::size_t n = 0;
    if (sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), 32, text.data(), text.size(), nullptr, &n,
                       nullptr) == 0 &&
        n == 32)
      return bytes;
  }
  if (auto bytes = from_base64(text); bytes && bytes->size() == 32) return bytes;
  return {};
}

struct parts {
  bool hardware = false;
  std::string_view key, application;
};
parts parts_of(const public_key& k) {
  reader r(k.blob);
  const std::string_view kind = r.string();
  parts p;
  p.hardware = kind == hardware_kind;
  if (!p.hardware && kind != plain_kind) refuse(errc::store, "a key of kind " + std::string(kind) + ", not of Ed25519");
  p.key = r.string();
  if (p.hardware) p.application = r.string();
  r.end();
  if (p.key.size() != crypto_sign_PUBLICKEYBYTES) refuse(errc::store, "a key of the wrong length");
  return p;
}

std::optional<public_key> key_from_line(const std::string& line) {
  const std::vector<std::string> words = split(line, ' ');
  if (words.empty()) return {};
  if (words[0] == plain_kind || words[0] == hardware_kind) {
    auto blob = words.size() > 1 ? from_base64(words[1]) : std::nullopt;
    if (!blob) return {};
    public_key k{std::move(*blob)};
    try {
      if (parts_of(k).hardware != (words[0] == hardware_kind)) return {};
    } catch (const error&) { return {}; }
    return k;
  }
  const auto bytes = words.size() == 1 && line.size() > 32 ? thirty_two_bytes(line) : std::nullopt;
  if (!bytes) return {};
  return public_key{counted(plain_kind) + counted(*bytes)};
}

std::string digest(std::string_view algorithm, std::string_view message) {
  if (algorithm == "sha512") {
    std::string d(crypto_hash_sha512_BYTES, '\0');
    crypto_hash_sha512(reinterpret_cast<unsigned char*>(d.data()), raw(message), message.size());
    return d;
  }
  if (algorithm != "sha256") refuse(errc::store, "its signature uses the unknown hash " + std::string(algorithm));
  std::string d(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(d.data()), raw(message), message.size());
  return d;
}

std::string signed_bytes(std::string_view name_space, std::string_view reserved, std::string_view algorithm,
                         std::string_view message) {
  return std::string("SSHSIG") + counted(name_space) + counted(reserved) + counted(algorithm) +
         counted(digest(algorithm, message));
}

// A file that only its owner can read; a secret that others may have read signs nothing.
std::string private_text(const std::string& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) refuse(errc::io, "the key " + file + " cannot be read: " + std::strerror(errno));
  struct stat s {};
  std::string text(largest_key_file, '\0');
  const ssize_t n = ::fstat(fd, &s) == 0 && S_ISREG(s.st_mode) ? ::read(fd, text.data(), text.size()) : -1;
  ::close(fd);
  if (n < 0) refuse(errc::io, "the key " + file + " is no file that can be read");
  text.resize(std::size_t(n));
  const bool public_half = text.rfind("ssh-", 0) == 0 || text.rfind("sk-ssh-", 0) == 0;
  if (!public_half && ((s.st_mode & 077) != 0 || s.st_uid != ::geteuid()))
    refuse(errc::store, "the key " + file + " can be read by others, or belongs to another user",
           "chmod 600 " + file + ", or make a new key if others have read it");
  return text;
}

std::string armoured(std::string_view blob) {
  const std::string text = base64(blob);
  std::string out = std::string(first_line) + "\n";
  for (std::size_t at = 0; at < text.size(); at += 70) out += text.substr(at, 70) + "\n";
  return out + last_line + "\n";
}

std::string sign_by_program(const std::string& message, const std::string& key_file, const std::string& name_space) {
  const memory_file input(message.data(), message.size());
  const outcome o =
      run_program({"ssh-keygen", "-Y", "sign", "-q", "-n", name_space, "-f", key_file}, input.descriptor());
  if (o.exit_code == -1)
    refuse(errc::store, "ssh-keygen, which signs with " + key_file + ", cannot be started",
           "apt-get install openssh-client");
  const std::size_t begin = o.said.find(first_line), end = o.said.find(last_line);
  if (o.exit_code != 0 || begin == std::string::npos || end == std::string::npos)
    refuse(errc::store, "ssh-keygen did not sign with " + key_file + ": " + o.said);
  return o.said.substr(begin, end + sizeof last_line - 1 - begin) + "\n";
}

}  // namespace

std::string public_key::fingerprint() const {
  return "SHA256:" + base64(digest("sha256", blob), sodium_base64_VARIANT_ORIGINAL_NO_PADDING);
}
std::string public_key::line() const {
  return std::string(parts_of(*this).hardware ? hardware_kind : plain_kind) + " " + base64(blob);
}

std::vector<public_key> read_public_keys(const std::vector<std::string>& given) {
  std::vector<public_key> all;
  for (const std::string& one : given) {
    if (auto key = key_from_line(one)) {
      all.push_back(std::move(*key));
      continue;
    }
    std::ifstream file(one);
    if (!file) refuse(errc::io, "the public key " + one + " is neither a file that can be read nor a key");
    const std::size_t before = all.size();
    for (std::string line; std::getline(file, line);) {
      while (!line.empty() && std::strchr(" \t\r", line.back())) line.pop_back();
      if (line.empty() || line[0] == '#') continue;
      auto key = key_from_line(line);
      if (!key)
        refuse(errc::invalid_argument, one + ": '" + line.substr(0, 60) + "' is no public key of Ed25519",
               "A line is what ssh-keygen writes into a .pub file, or the 32 bytes of a key as hex or base64.");
      all.push_back(std::move(*key));
    }
    if (all.size() == before) refuse(errc::invalid_argument, one + " holds no public key");
  }
  return all;
}

public_key verified_signer(const std::string& signature, const std::string& message, const std::string& name_space) {
  const std::size_t begin = signature.find(first_line), end = signature.find(last_line);
  const auto blob =
      begin == 0 && end != std::string::npos
          ? from_base64(std::string_view(signature).substr(sizeof first_line - 1, end - (sizeof first_line - 1)))
          : std::nullopt;
  if (!blob) refuse(errc::store, "its signature is no SSH signature");
  reader r(*blob);
  if (r.take(6) != "SSHSIG" || r.number() != 1) refuse(errc::store, "its signature is of an unknown version");
  public_key signer{std::string(r.string())};
  const parts who = parts_of(signer);
  const std::string_view space = r.string(), reserved = r.string(), algorithm = r.string();
  reader s(r.string());
  r.end();
  if (space != name_space)
    refuse(errc::store, "its signature was made for '" + std::string(space) + "', not for '" + name_space + "'");
  std::string bytes = signed_bytes(space, reserved, algorithm, message);
  if (s.string() != (who.hardware ? hardware_kind : plain_kind))
    refuse(errc::store, "its signature is of another kind than its key");
  const std::string_view value = s.string();
  if (who.hardware) {  // the device signs hashes, and says whether somebody touched it and how often it has signed
    const std::string_view flags_and_counter = s.take(5);
    if (!(raw(flags_and_counter)[0] & 1))
      refuse(errc::store, "its signature was made without a touch of the hardware key");
    bytes = digest("sha256", who.application) + std::string(flags_and_counter) + digest("sha256", bytes);
  }
  s.end();
  if (value.size() != crypto_sign_BYTES ||
      crypto_sign_verify_detached(raw(value), raw(bytes), bytes.size(), raw(who.key)) != 0)
    refuse(errc::store, "its signature does not fit what it says");
  return signer;
}

std::string sign(const std::string& message, const std::string& key_file, const std::string& name_space) {
  std::string text = private_text(key_file);
  auto seed = text.rfind("-----", 0) == 0 || text.rfind("ssh-", 0) == 0 || text.rfind("sk-ssh-", 0) == 0
                  ? std::nullopt
                  : thirty_two_bytes(text);
  if (!seed) return sign_by_program(message, key_file, name_space);
  unsigned char secret[crypto_sign_SECRETKEYBYTES], open[crypto_sign_PUBLICKEYBYTES];
  crypto_sign_seed_keypair(open, secret, raw(*seed));
  const std::string bytes = signed_bytes(name_space, "", "sha512", message);
  std::string value(crypto_sign_BYTES, '\0');
  crypto_sign_detached(reinterpret_cast<unsigned char*>(value.data()), nullptr, raw(bytes), bytes.size(), secret);
  sodium_memzero(secret, sizeof secret);
  sodium_memzero(seed->data(), seed->size());
  sodium_memzero(text.data(), text.size());
  const std::string key = counted(plain_kind) + counted({reinterpret_cast<char*>(open), sizeof open});
  return armoured(std::string("SSHSIG") + number(1) + counted(key) + counted(name_space) + counted("") +
                  counted("sha512") + counted(counted(plain_kind) + counted(value)));
}

public_key make_key(const std::string& file) {
  if (sodium_init() < 0) refuse(errc::store, "no source of random numbers");
  std::string seed(crypto_sign_SEEDBYTES, '\0');
  randombytes_buf(seed.data(), seed.size());
  unsigned char secret[crypto_sign_SECRETKEYBYTES], open[crypto_sign_PUBLICKEYBYTES];
  crypto_sign_seed_keypair(open, secret, raw(seed));
  std::string hex(2 * seed.size() + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), raw(seed), seed.size());
  hex.back() = '\n';
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) refuse(errc::io, "the key " + file + " cannot be made: " + std::strerror(errno));
  const bool written = ::write(fd, hex.data(), hex.size()) == ssize_t(hex.size()) && ::fsync(fd) == 0;
  ::close(fd);
  sodium_memzero(secret, sizeof secret);
  sodium_memzero(hex.data(), hex.size());
  sodium_memzero(seed.data(), seed.size());
  public_key k{counted(plain_kind) + counted({reinterpret_cast<char*>(open), sizeof open})};
  std::ofstream half(file + ".pub");
  half << k.line() << " glass\n" << std::flush;
  if (!written || !half) refuse(errc::io, "the key " + file + " cannot be written");
  return k;
}

}  // namespace glass::jit
