// Ed25519 signatures in OpenSSH's form (SSHSIG): made by ssh-keygen, so that agents and hardware keys work, or with a raw
// key file; verified here, by libsodium, without a process.
#pragma once
#include <string>
#include <vector>

namespace glass::jit {

inline constexpr char pack_namespace[] = "glass-pack";  // what is signed for another purpose is no signature of a pack

struct public_key {
  std::string blob;                 // as SSH sends it: kind, key and, of a hardware key, its application
  std::string fingerprint() const;  // "SHA256:…" as `ssh-keygen -l` prints it
  std::string line() const;         // "ssh-ed25519 AAAA…"
  friend bool operator==(const public_key& a, const public_key& b) { return a.blob == b.blob; }
};

// Each of `given` is a key (an OpenSSH line, or 32 bytes as hex or base64) or a file with one key a line. Kinds:
// ssh-ed25519 and sk-ssh-ed25519@openssh.com. Throws errc::invalid_argument or errc::io.
std::vector<public_key> read_public_keys(const std::vector<std::string>& given);

// Who signed `message`. Throws errc::store with one sentence when the signature (armoured text) does not hold.
public_key verified_signer(const std::string& signature, const std::string& message,
                           const std::string& name_space = pack_namespace);

// The armoured signature. `key_file`: an OpenSSH private key (or the public one of a key that an agent holds), or a raw
// key: the 32 bytes of its seed, or these as hex or base64, readable by its owner only.
std::string sign(const std::string& message, const std::string& key_file,
                 const std::string& name_space = pack_namespace);

// A new raw key in `file` (mode 0600, must not exist), its public key as an OpenSSH line in `file`.pub.
public_key make_key(const std::string& file);

}  // namespace glass::jit
