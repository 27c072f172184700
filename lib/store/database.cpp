// SQLite's C interface behind the few calls the store needs.
#include "store/database.hpp"

#include <sqlite3.h>

namespace glass::jit {

namespace {

void check(int code, sqlite3* connection) {
  if (code != SQLITE_OK) throw database_error(code, connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code));
}

// A URI, so that `immutable` can be said; '?', '#' and '%' of the path are escaped.
std::string uri(const std::string& path, const char* parameters) {
  std::string out = "file:";
  for (char c : path) {
    if (c == '?')
      out += "%3f";
    else if (c == '#')
      out += "%23";
    else if (c == '%')
      out += "%25";
    else
      out += c;
  }
  return out + parameters;
}

}  // namespace

bool database_error::damaged() const noexcept {
  return (code_ & 0xff) == SQLITE_CORRUPT || (code_ & 0xff) == SQLITE_NOTADB || code_ == SQLITE_IOERR_SHORT_READ;
}
bool database_error::missing_table() const noexcept { return code_ == SQLITE_ERROR; }

query::~query() {
  if (!statement_) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}
bool query::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) check(code, sqlite3_db_handle(statement_));
  return false;
}
std::string query::text(int column) const {
  const auto* p = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return p ? std::string(p, std::size_t(sqlite3_column_bytes(statement_, column))) : std::string();
}
std::int64_t query::number(int column) const { return sqlite3_column_int64(statement_, column); }
double query::real(int column) const { return sqlite3_column_double(statement_, column); }
std::span<const unsigned char> query::blob(int column) const {
  const auto* p = static_cast<const unsigned char*>(sqlite3_column_blob(statement_, column));
  return {p, std::size_t(sqlite3_column_bytes(statement_, column))};
}
void query::bind(int at, std::string_view v) {
  check(sqlite3_bind_text64(statement_, at, v.data() ? v.data() : "", v.size(), SQLITE_TRANSIENT, SQLITE_UTF8),
        sqlite3_db_handle(statement_));
}
void query::bind(int at, std::span<const unsigned char> v) {
  const void* p = v.data() ? static_cast<const void*>(v.data()) : "";
  check(sqlite3_bind_blob64(statement_, at, p, v.size(), SQLITE_TRANSIENT), sqlite3_db_handle(statement_));
}
void query::bind(int at, double v) { check(sqlite3_bind_double(statement_, at, v), sqlite3_db_handle(statement_)); }
void query::bind(int at, std::int64_t v) {
  check(sqlite3_bind_int64(statement_, at, v), sqlite3_db_handle(statement_));
}

database::database(const std::string& path, mode m) {
  const bool memory = path == ":memory:" || path.empty();
  const int access =
      memory || m == mode::read_write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  const std::string name = memory ? path : uri(path, m == mode::immutable ? "?immutable=1" : "");
  const int code = sqlite3_open_v2(name.c_str(), &connection_, access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  try {
    check(code, connection_);
    set_up(m);
  } catch (...) {
    sqlite3_close_v2(connection_);
    throw;
  }
}
database::database(const void* bytes, std::size_t size) {
  const int code = sqlite3_open_v2(":memory:", &connection_,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  try {
    check(code, connection_);
    auto* data = const_cast<unsigned char*>(static_cast<const unsigned char*>(bytes));  // READONLY: never written
    check(sqlite3_deserialize(connection_, "main", data, sqlite3_int64(size), sqlite3_int64(size),
                              SQLITE_DESERIALIZE_READONLY),
          connection_);
    set_up(mode::immutable);
  } catch (...) {
    sqlite3_close_v2(connection_);
    throw;
  }
}
// A file that somebody else made may hold a schema that does things when it is read: none of it is run.
void database::set_up(mode m) {
  sqlite3_extended_result_codes(connection_, 1);
  sqlite3_busy_timeout(connection_, usual_wait);
  if (m == mode::immutable) {
    sqlite3_db_config(connection_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(connection_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  }
  run("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = "
      "OFF");
}
database::~database() {
  for (auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close_v2(connection_);
}
void database::run(const std::string& sql) {
  check(sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr), connection_);
}
std::int64_t database::number(const std::string& sql) {
  const std::string answer = text(sql);
  return answer.empty() ? 0 : std::stoll(answer);
}
std::string database::text(const std::string& sql) {
  sqlite3_stmt* s = nullptr;
  check(sqlite3_prepare_v2(connection_, sql.c_str(), -1, &s, nullptr), connection_);
  struct finalizer {
    sqlite3_stmt* s;
    ~finalizer() { sqlite3_finalize(s); }
  } end{s};
  query q(s);
  return q.step() ? q.text(0) : std::string();
}
void database::wait_at_most(int milliseconds) { sqlite3_busy_timeout(connection_, milliseconds); }
void database::leave_log() { sqlite3_db_config(connection_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr); }
sqlite3_stmt* database::prepared(const char* sql) {
  sqlite3_stmt*& s = statements_[sql];
  if (!s) check(sqlite3_prepare_v3(connection_, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, nullptr), connection_);
  return s;
}
int database::changes() const { return sqlite3_changes(connection_); }

transaction::~transaction() {
  if (!open_) return;
  try {
    db_.run("ROLLBACK");
  } catch (const database_error&) {  // SQLite has rolled back by itself
  }
}
void transaction::commit() {
  db_.run("COMMIT");
  open_ = false;
}

}  // namespace glass::jit
