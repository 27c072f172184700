// One SQLite connection: statements prepared once, values bound by type, errors as exceptions. No schema, no policy, no
// lock of its own.
#pragma once
#include <cstdint>
#include <exception>
#include <map>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace glass::jit {

inline constexpr int usual_wait = 5000;  // milliseconds for other writers

class database_error : public std::exception {
 public:
  database_error(int code, std::string text) : code_(code), text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  int code() const noexcept { return code_; }  // SQLite's extended code
  bool damaged() const noexcept;               // the file itself is broken or is no database
  bool missing_table() const noexcept;         // the schema is not what a statement expects

 private:
  int code_;
  std::string text_;
};

// A statement in use; reset on destruction, so that no transaction stays open.
class query {
 public:
  explicit query(sqlite3_stmt* s) : statement_(s) {}
  query(query&& q) noexcept : statement_(q.statement_) { q.statement_ = nullptr; }
  query(const query&) = delete;
  ~query();
  bool step();  // a row, or the end
  std::string text(int column) const;
  std::int64_t number(int column) const;
  double real(int column) const;
  std::span<const unsigned char> blob(int column) const;  // until the next step

  void bind(int at, std::string_view);
  void bind(int at, std::span<const unsigned char>);
  void bind(int at, double);
  void bind(int at, std::int64_t);
  void bind(int at, int n) { bind(at, std::int64_t(n)); }
  void bind(int at, const char* text) { bind(at, std::string_view(text)); }  // not as a bool
  void bind(int at, bool b) { bind(at, std::int64_t(b)); }

 private:
  sqlite3_stmt* statement_;
};

class database {
 public:
  enum class mode { read_write, read_only, immutable };  // immutable: nobody changes the file; needs no side files
  database(const std::string& path, mode);               // ":memory:" for one in memory, "" for one that leaves no file
  database(const void* bytes, std::size_t size);         // of a whole file; not copied, only read
  ~database();
  database(const database&) = delete;

  void run(const std::string& sql);             // one or more statements without results
  std::int64_t number(const std::string& sql);  // the first column of the first row, 0 without one
  std::string text(const std::string& sql);
  void wait_at_most(int milliseconds);
  void leave_log();  // closing will not write the log back into the file: quicker
  // `sql` is a literal: the prepared statement is kept under its address.
  template <class... Values>
  query ask(const char* sql, const Values&... values) {
    query q(prepared(sql));
    int at = 0;
    (q.bind(++at, values), ...);
    return q;
  }
  // The same, run to its end; the number of rows changed.
  template <class... Values>
  int change(const char* sql, const Values&... values) {
    { ask(sql, values...).step(); }
    return changes();
  }

 private:
  void set_up(mode);
  sqlite3_stmt* prepared(const char* sql);
  int changes() const;
  sqlite3* connection_ = nullptr;
  std::map<const char*, sqlite3_stmt*> statements_;
};

// BEGIN IMMEDIATE … COMMIT; rolled back unless committed.
class transaction {
 public:
  explicit transaction(database& db) : db_(db) { db_.run("BEGIN IMMEDIATE"); }
  ~transaction();
  void commit();

 private:
  database& db_;
  bool open_ = true;
};

}  // namespace glass::jit
