#include "store/pack_writer.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "glass/jit/error.hpp"
#include "store/row_hash.hpp"
#include "store/schema.hpp"

namespace glass::jit {

namespace {

[[noreturn]] void fail(const std::string& path, int why) {
  throw error(errc::io, stage::store, "the pack " + path + " cannot be written: " + std::strerror(why));
}

// A file beside the pack that becomes the pack. It is locked while it is made, so that the next one to make a pack here
// can tell one that is in work from one whose maker was killed, and removes the latter.
class part_file {
 public:
  explicit part_file(const std::string& path) : path_(path) {
    sweep();
    name_ = path + ".part-XXXXXX";
    fd_ = ::mkostemp(name_.data(), O_CLOEXEC);
    if (fd_ < 0) fail(path, errno);
    ::flock(fd_, LOCK_EX | LOCK_NB);
  }
  ~part_file() {
    if (!published_) ::unlink(name_.c_str());
    ::close(fd_);
  }
  part_file(const part_file&) = delete;
  const std::string& name() const { return name_; }
  void publish() {
    struct stat old {};
    const mode_t mode = ::stat(path_.c_str(), &old) == 0 ? old.st_mode & 0755 : 0644;
    if (::fchmod(fd_, mode) != 0 || ::fsync(fd_) != 0 || ::rename(name_.c_str(), path_.c_str()) != 0)
      fail(path_, errno);
    published_ = true;
    const std::string folder = std::filesystem::path(path_).parent_path().string();
    if (const int d = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); d >= 0) {
      ::fsync(d);
      ::close(d);
    }
  }

 private:
  void sweep() const {
    const std::filesystem::path whole(path_);
    const std::string start = whole.filename().string() + ".part-";
    const auto folder = whole.has_parent_path() ? whole.parent_path() : std::filesystem::path(".");
    std::error_code none;
    for (const auto& e : std::filesystem::directory_iterator(folder, none)) {
      if (e.path().filename().string().rfind(start, 0) != 0) continue;
      const int fd = ::open(e.path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
      if (fd < 0) continue;
      if (::flock(fd, LOCK_EX | LOCK_NB) == 0) ::unlink(e.path().c_str());
      ::close(fd);
    }
  }
  const std::string path_;
  std::string name_;
  int fd_ = -1;
  bool published_ = false;
};

std::span<const unsigned char> bytes_of(const std::string& s) {
  return {reinterpret_cast<const unsigned char*>(s.data()), s.size()};
}

void put(database& db, const char* name, const std::string& value) {
  db.change("INSERT OR REPLACE INTO pack (name, value) VALUES (?, ?)", std::string_view(name), bytes_of(value));
}

// The open database, packed into `path`; signed there.
pack_info publish(database& db, const std::string& path, const std::string& statement, const std::string& key_file) {
  const std::string signature = key_file.empty() ? "" : sign(statement, key_file);
  part_file part(path);
  try {
    db.ask("VACUUM INTO ?", part.name()).step();
    if (!signature.empty()) {
      database copy(part.name(), database::mode::read_write);
      copy.text("PRAGMA journal_mode = MEMORY");  // nobody else knows this file
      put(copy, "signature", signature);
    }
  } catch (const database_error& e) {
    throw error(errc::io, stage::store, "the pack " + path + " cannot be written: " + e.what());
  }
  pack_info made;
  try {
    made = pack::open(part.name(), nullptr).info;
  } catch (const error& e) {
    throw error(errc::io, stage::store, "the pack " + path + " cannot be written: " + e.message());
  }
  part.publish();
  made.name = pack_source(path).name(), made.path = path;
  return made;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> fields_of(const std::string& material) {
  std::vector<std::pair<std::string, std::string>> all;
  for (std::size_t at = 0; at < material.size();) {  // "NAME LENGTH\nVALUE\n"
    const std::size_t line = material.find('\n', at), space = material.rfind(' ', line);
    if (line == std::string::npos || space == std::string::npos || space < at) return {};
    const std::size_t length = std::strtoull(material.c_str() + space + 1, nullptr, 10);
    if (length > material.size() - line - 1) return {};
    all.emplace_back(material.substr(at, space - at), material.substr(line + 1, length));
    at = line + 1 + length + 1;
  }
  return all;
}
std::string field_of(const std::string& material, const std::string& name) {
  for (auto& [field, value] : fields_of(material))
    if (field == name) return std::move(value);
  return {};
}

pack_writer::pack_writer() {
  auto db = std::make_unique<database>("", database::mode::read_write);
  db->text("PRAGMA journal_mode = OFF");
  rows_ = std::make_unique<layer>(std::move(db), database::mode::read_write, nullptr);
  rows_->rows().run(pack_table);
}
pack_writer::~pack_writer() = default;

void pack_writer::add(const decision_row& d, const std::vector<candidate_row>& evidence) {
  std::vector<candidate_row> sorted = evidence;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.placement < b.placement; });
  entries_.add(d, sorted);
  rows_->put_decision(d);
  for (const candidate_row& c : sorted) rows_->put_candidate(c);
  content_.emplace_back("d" + d.key, content_of(d, sorted));
  devices_.insert(d.fingerprint + ", power class " + d.power_class + (d.driver.empty() ? "" : ", driver " + d.driver));
  ++decisions_, candidates_ += sorted.size();
}

void pack_writer::add(const image_row& r) {
  image_row kept = r;
  if (kept.created == 0) kept.created = 1;  // 0 would be written as now
  entries_.add(kept);
  rows_->put_image(kept);
  content_.emplace_back("i" + kept.key, content_of(kept));
  images_.insert(kept.key), targets_.insert(kept.target);
  if (const std::string h = field_of(kept.material, "headers"); !h.empty()) headers_.insert(h);
}

std::string pack_writer::statement() {
  std::sort(content_.begin(), content_.end());
  material content;
  for (const auto& [key, value] : content_) content.add(key.substr(1), value);
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  const std::string user = environment("USER");
  std::string text = "glass pack " + std::to_string(pack_format) + "\n";
  // A line each, whatever the values hold.
  const auto line = [&](const char* name, std::string value) {
    std::replace_if(
        value.begin(), value.end(), [](unsigned char c) { return c < ' '; }, ' ');
    text.append(name).append(": ").append(value).append("\n");
  };
  line("content", content.key());
  line("manifest", hash(entries_.bytes()));
  line("decisions", std::to_string(decisions_));
  line("images", std::to_string(images_.size()));
  line("candidates", std::to_string(candidates_));
  for (const auto& [name, values] : {std::pair("headers", &headers_), {"target", &targets_}, {"device", &devices_}})
    for (const std::string& value : *values) line(name, value);
  line("made", utc_now());
  line("made by", (user.empty() ? "uid " + std::to_string(::getuid()) : user) + "@" + host);
  line("glass", GLASS_VERSION);
  return text;
}

pack_info pack_writer::finish(const std::string& path, const std::string& key_file) {
  entries_.seal();
  const std::string text = statement();
  database& db = rows_->rows();
  db.run("UPDATE image SET last_used = 0");
  put(db, "statement", text);
  put(db, "manifest", entries_.bytes());
  db.run("PRAGMA application_id = " + std::to_string(pack_application_id));
  return publish(db, path, text, key_file);
}

pack_info sign_pack_file(const std::string& path, const std::string& key_file) {
  pack p;
  try {
    p = pack::open(path, nullptr);
  } catch (const error& e) {
    throw error(e.code(), e.stage(), "the pack " + path + " is not signed: " + e.message(), e.hint());
  }
  if (const auto faults = faults_of(p); !faults.empty())
    throw error(errc::store, stage::store, "the pack " + path + " is not sound and is not signed: " + faults.front());
  return publish(p.rows->rows(), path, p.statement, key_file);
}

}  // namespace glass::jit
