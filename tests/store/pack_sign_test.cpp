// Who signed a pack, and that only what was signed is used.
#include <gmock/gmock.h>
#include <sodium.h>

#include "pack_fixture.hpp"

namespace glass::jit {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
class pack_sign_test : public pack_fixture {
 protected:
  std::string raw_key(const std::string& name) const {
    make_pack_key(path(name));
    return path(name);
  }
  std::string ssh_key(const std::string& name) const {
    EXPECT_EQ(std::system(("ssh-keygen -q -t ed25519 -N '' -f " + path(name)).c_str()), 0);
    return path(name);
  }
  std::string reason(const std::string& signature, const std::string& message,
                     const std::string& space = pack_namespace) const {
    try {
      verified_signer(signature, message, space);
      return "";
    } catch (const error& e) { return e.message(); }
  }
};

TEST_F(pack_sign_test, a_raw_key_signs_and_only_what_was_signed_verifies) {
  const std::string key = raw_key("k");
  struct stat s {};
  ASSERT_EQ(::stat(key.c_str(), &s), 0);
  EXPECT_EQ(s.st_mode & 0777, 0600u);
  const std::string signature = sign("message", key);
  EXPECT_EQ(verified_signer(signature, "message"), read_public_keys({key + ".pub"}).at(0));
  EXPECT_EQ(reason(signature, "another"), "its signature does not fit what it says");
  EXPECT_THAT(reason(signature, "message", "file"), HasSubstr("was made for 'glass-pack', not for 'file'"));
  EXPECT_THAT(reason("", "message"), HasSubstr("no SSH signature"));
}

TEST_F(pack_sign_test, every_byte_of_a_signature_counts) {
  const std::string key = raw_key("k"), whole = sign("message", key);
  const public_key signer = read_public_keys({key + ".pub"}).at(0);
  for (std::size_t at = 30; at < whole.size() - 30; ++at) {  // between the armour's lines
    if (whole[at] == '\n' || whole[at] == '=') continue;
    std::string bad = whole;
    bad[at] = bad[at] == 'A' ? 'B' : 'A';
    try {
      EXPECT_FALSE(verified_signer(bad, "message") == signer && bad != whole) << at;
    } catch (const error&) {}
  }
}

TEST_F(pack_sign_test, ssh_keygen_signs_and_verifies_the_same) {
  const std::string key = ssh_key("id");
  const std::string signature = sign("message", key);
  EXPECT_EQ(verified_signer(signature, "message"), read_public_keys({key + ".pub"}).at(0));
  EXPECT_THAT(reason(signature, "messagE"), HasSubstr("does not fit"));
  // The other way round: ssh-keygen takes what a raw key signed.
  const std::string raw = raw_key("raw");
  write("signature", sign("message", raw));
  write("message", "message");
  write("allowed", "maker namespaces=\"glass-pack\" " + read_public_keys({raw + ".pub"}).at(0).line() + "\n");
  EXPECT_EQ(std::system(("ssh-keygen -Y verify -q -f " + path("allowed") + " -I maker -n glass-pack -s " +
                         path("signature") + " < " + path("message"))
                            .c_str()),
            0);
  EXPECT_EQ(std::system(
                ("ssh-keygen -l -f " + key + ".pub | grep -qF " + read_public_keys({key + ".pub"}).at(0).fingerprint())
                    .c_str()),
            0);
}

// What a security key computes, with a key pair of our own.
TEST_F(pack_sign_test, a_hardware_key_signs_flags_and_counter_and_must_have_been_touched) {
  unsigned char open[32], secret[64];
  crypto_sign_keypair(open, secret);
  const auto counted = [](const std::string& s) {
    const auto n = std::uint32_t(s.size());
    return std::string{char(n >> 24), char(n >> 16), char(n >> 8), char(n)} + s;
  };
  const auto sha256 = [](const std::string& s) {
    std::string d(32, '\0');
    crypto_hash_sha256((unsigned char*)d.data(), (const unsigned char*)s.data(), s.size());
    return d;
  };
  const std::string kind = "sk-ssh-ed25519@openssh.com", application = "ssh:glass";
  const std::string key = counted(kind) + counted({(char*)open, 32}) + counted(application);
  const auto armoured = [&](char flags, std::uint32_t counter, char said_flags) {
    const std::string inner =
        "SSHSIG" + counted("glass-pack") + counted("") + counted("sha256") + counted(sha256("message"));
    const std::string tail{flags, 0, 0, 0, char(counter)};
    const std::string bytes = sha256(application) + tail + sha256(inner);
    std::string value(64, '\0');
    crypto_sign_detached((unsigned char*)value.data(), nullptr, (const unsigned char*)bytes.data(), bytes.size(),
                         secret);
    const std::string said{said_flags, 0, 0, 0, char(counter)};
    const std::string blob = std::string("SSHSIG") + std::string{0, 0, 0, 1} + counted(key) + counted("glass-pack") +
                             counted("") + counted("sha256") + counted(counted(kind) + counted(value) + said);
    std::string text(sodium_base64_ENCODED_LEN(blob.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
    sodium_bin2base64(text.data(), text.size(), (const unsigned char*)blob.data(), blob.size(),
                      sodium_base64_VARIANT_ORIGINAL);
    return "-----BEGIN SSH SIGNATURE-----\n" + std::string(text.c_str()) + "\n-----END SSH SIGNATURE-----\n";
  };
  EXPECT_EQ(verified_signer(armoured(1, 7, 1), "message").blob, key);
  EXPECT_EQ(reason(armoured(1, 7, 5), "message"), "its signature does not fit what it says");
  EXPECT_THAT(reason(armoured(0, 7, 0), "message"), HasSubstr("without a touch"));
  EXPECT_EQ(read_public_keys({verified_signer(armoured(1, 7, 1), "message").line()}).at(0).blob, key);
}

TEST_F(pack_sign_test, a_key_that_others_can_read_signs_nothing) {
  const std::string key = raw_key("k");
  ::chmod(key.c_str(), 0640);
  EXPECT_THROW(sign("message", key), error);
  EXPECT_THROW(sign("message", path("missing")), error);
  EXPECT_THROW(make_pack_key(key), error) << "a key is never overwritten";
}

TEST_F(pack_sign_test, keys_are_lines_hex_base64_or_files_of_them) {
  const std::string key = raw_key("k");
  const public_key k = read_public_keys({key + ".pub"}).at(0);
  std::string hex;
  for (const char c : k.blob.substr(k.blob.size() - 32)) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", (unsigned char)c);
    hex += two;
  }
  write("several", "# of the bench\n" + hex + "\n\n" + k.line() + " somebody\n");
  EXPECT_THAT(read_public_keys({path("several"), k.line(), hex}), testing::ElementsAre(k, k, k, k));
  write("rsa", "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAQQ== me\n");
  EXPECT_THROW(read_public_keys({path("rsa")}), error);
  EXPECT_THROW(read_public_keys({path("missing")}), error);
}

TEST_F(pack_sign_test, only_packs_that_are_signed_by_a_required_key_are_mounted) {
  const std::string ours = raw_key("ours"), theirs = raw_key("theirs");
  make("ours.pack", ours);
  make("theirs.pack", theirs);
  make("nobodys.pack");
  const auto s = mounted({path("nobodys.pack"), path("theirs.pack"), path("ours.pack")}, {ours + ".pub"}, folder);
  EXPECT_EQ(s->find_image(an_image().key, an_image().material)->layer, "pack ours");
  EXPECT_THAT(warnings, SizeIs(2)) << said();
  EXPECT_THAT(said(), testing::AllOf(HasSubstr("nobodys.pack is not used: it is not signed, and a key is required"),
                                     HasSubstr("none of the required keys")));
  EXPECT_THAT(s->stats().packs.at(2).signer, HasSubstr("SHA256:"));
  warnings.clear();
  EXPECT_FALSE(mounted({path("ours.pack")}, {path("missing.pub")})->find_image(an_image().key, an_image().material));
  EXPECT_THAT(said(), HasSubstr("missing.pub is neither a file that can be read nor a key; no pack is mounted"));
}

TEST_F(pack_sign_test, a_signed_pack_whose_statement_was_changed_is_refused_without_a_key_too) {
  make("robot.pack", raw_key("k"));
  EXPECT_EQ(refusal(path()), "");
  change(
      "UPDATE pack SET value = CAST(replace(value, 'glass pack 1', 'glass pack 1 ') AS BLOB) WHERE name = 'statement'");
  EXPECT_EQ(refusal(path()), "its signature does not fit what it says");
}

// Rows, manifest and statement replaced together, as one who has no key can do it.
TEST_F(pack_sign_test, a_pack_that_was_made_anew_around_a_foreign_signature_is_refused) {
  const std::string key = raw_key("k");
  make("robot.pack", key);
  pack_writer w;
  w.add(a_decision("evil"), {});
  w.finish(path("evil.pack"), "");
  change("ATTACH '" + path() + "' AS good; INSERT INTO pack SELECT * FROM good.pack WHERE name = 'signature'",
         "evil.pack");
  EXPECT_EQ(refusal(path("evil.pack")), "its signature does not fit what it says");
}

TEST_F(pack_sign_test, signing_later_changes_no_row_and_damage_is_not_signed) {
  const std::string content = make().content;
  const std::string key = ssh_key("id");
  const pack_info signed_one = sign_pack(path(), key);
  EXPECT_EQ(signed_one.content, content);
  EXPECT_EQ(signed_one.signer, read_public_keys({key + ".pub"}).at(0).fingerprint());
  EXPECT_THAT(verify_pack(path(), {key + ".pub"}).faults, IsEmpty());
  change("UPDATE image SET label = 'x'");
  EXPECT_THROW(sign_pack(path(), key), error);
  EXPECT_THAT(verify_pack(path(), {key + ".pub"}).faults, Contains(HasSubstr("image")));
}

}  // namespace
}  // namespace glass::jit
