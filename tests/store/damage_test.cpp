// A damaged, foreign, newer or older file: the store heals what is its own, leaves alone what is not, and works on; one
// warning.
#include <gmock/gmock.h>

#include <random>

#include "store/layer.hpp"
#include "store/schema.hpp"
#include "store_fixture.hpp"

namespace glass::jit {
namespace {

using testing::HasSubstr;

class damage_test : public store_test {
 protected:
  void fill() {
    const auto s = open();
    s->put_image(an_image());
    s->put_decision(a_decision());
    s->put_candidate(a_candidate("scope=thread"));
  }
  std::string bytes() const {
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& text) const { std::ofstream(file(), std::ios::binary | std::ios::trunc) << text; }
  int set_aside() const {
    int n = 0;
    for (const auto& e : std::filesystem::directory_iterator(folder)) {
      const std::string name = e.path().filename().string();
      n += name.starts_with("cache.sqlite.damaged-") && !name.ends_with("-wal") && !name.ends_with("-shm");
    }
    return n;
  }
  // Everything can be put and is found again, now and by the next process.
  void expect_works() {
    {
      const auto s = open();
      s->put_image(an_image("again"));
      s->put_decision(a_decision("again"));
      EXPECT_TRUE(s->find_image(an_image("again").key, "again"));
    }
    const auto s = open();
    EXPECT_TRUE(s->persistent()) << said();
    EXPECT_TRUE(s->find_image(an_image("again").key, "again")) << said();
    EXPECT_TRUE(s->find_decision(a_decision("again").key, "again")) << said();
  }
};

TEST_F(damage_test, a_flipped_byte_of_an_image_drops_the_row_with_one_warning) {
  fill();
  sql("UPDATE image SET bytes = CAST(x'00' || substr(bytes, 2) AS BLOB)");
  const auto s = open();
  EXPECT_FALSE(s->find_image(an_image().key, an_image().material));
  EXPECT_EQ(s->healed(), 1);
  EXPECT_EQ(warnings.size(), 1u) << said();
  EXPECT_THAT(said(), HasSubstr("hash"));
  EXPECT_EQ(ask("SELECT count(*) FROM image"), "0");
  s->put_image(an_image());
  EXPECT_TRUE(s->find_image(an_image().key, an_image().material));
}

TEST_F(damage_test, a_shortened_image_is_dropped) {
  fill();
  sql("UPDATE image SET bytes = substr(bytes, 1, 500)");
  EXPECT_FALSE(open()->find_image(an_image().key, an_image().material));
  EXPECT_THAT(said(), HasSubstr("length"));
}

TEST_F(damage_test, a_changed_field_of_a_decision_drops_the_row) {
  for (const char* change : {"ns = ns + 1", "placement = 'scope=warp pack=16'", "fingerprint = 'x'", "samples = 41",
                             "runner_up = ''", "batch_class = 1", "driver = '1'", "state = ' '", "complete = 0"}) {
    fill();
    sql(std::string("UPDATE decision SET ") + change);
    const auto s = open();
    EXPECT_FALSE(s->find_decision(a_decision().key, a_decision().material)) << change;
    EXPECT_EQ(ask("SELECT count(*) FROM decision"), "0") << change;
  }
}

TEST_F(damage_test, a_damaged_row_does_not_hide_its_neighbours) {
  fill();
  {
    const auto s = open();
    s->put_decision(a_decision("other"));
    s->put_candidate(a_candidate("scope=warp"));
  }
  sql("UPDATE decision SET ns = 7 WHERE material = 'other'");
  sql("UPDATE candidate SET ns = x'0000000000000000' WHERE placement = 'scope=warp'");
  const auto s = open();
  EXPECT_EQ(s->find_related("posv/1", "f32", "", "throughput").size(), 1u);
  ASSERT_EQ(s->candidates(a_decision().key).size(), 1u);
  EXPECT_EQ(s->healed(), 2);
  EXPECT_EQ(ask("SELECT count(*) FROM decision"), "1");
  EXPECT_EQ(ask("SELECT count(*) FROM candidate"), "1");
}

TEST_F(damage_test, a_text_file_in_place_of_the_database_is_set_aside) {
  std::filesystem::create_directories(folder);
  write("this is no database, and it is longer than a header of one hundred bytes. " + std::string(2000, '.'));
  expect_works();
  EXPECT_EQ(set_aside(), 1);
  EXPECT_EQ(warnings.size(), 1u) << said();
}

TEST_F(damage_test, a_folder_in_place_of_the_database_is_set_aside) {
  std::filesystem::create_directories(file() + "/kept");
  expect_works();
  EXPECT_EQ(set_aside(), 1);
}

TEST_F(damage_test, an_empty_file_is_a_new_database) {
  std::filesystem::create_directories(folder);
  write("");
  expect_works();
  EXPECT_TRUE(warnings.empty()) << said();
}

TEST_F(damage_test, a_damaged_header_page_is_set_aside) {
  fill();
  std::string all = bytes();
  std::fill_n(all.begin(), 100, '\xff');
  write(all);
  expect_works();
  EXPECT_EQ(set_aside(), 1);
}

TEST_F(damage_test, a_truncated_file_is_set_aside_when_it_shows) {
  for (double part : {0.1, 0.5, 0.9}) {
    std::filesystem::remove_all(folder);
    {
      const auto s = open();
      for (int i = 0; i < 50; ++i) s->put_image(an_image("m" + std::to_string(i), 5000));
    }
    std::filesystem::resize_file(file(), std::uintmax_t(double(std::filesystem::file_size(file())) * part));
    warnings.clear();
    const auto s = open();
    for (int i = 0; i < 50; ++i) s->find_image(an_image("m" + std::to_string(i)).key, "m" + std::to_string(i));
    expect_works();
  }
}

TEST_F(damage_test, zeroed_pages_and_flipped_bits_anywhere_never_stop_it_or_return_wrong_bytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    std::filesystem::remove_all(folder);
    {
      const auto s = open();
      for (int i = 0; i < 8; ++i)
        s->put_image(an_image("m" + std::to_string(i), 3000)), s->put_decision(a_decision("m" + std::to_string(i)));
    }
    std::string all = bytes();
    if (round % 2)
      std::fill_n(all.begin() + 4096 * (random() % (all.size() / 4096)), 4096, '\0');
    else
      for (int n = 0; n < 5; ++n) all[random() % all.size()] ^= char(1 << (random() % 8));
    write(all);
    const auto s = open();
    for (int i = 0; i < 8; ++i) {
      const std::string m = "m" + std::to_string(i);
      const auto image = s->find_image(an_image(m).key, m);
      EXPECT_TRUE(!image || image->bytes == an_image(m, 3000).bytes);
      const auto decision = s->find_decision(a_decision(m).key, m);
      EXPECT_TRUE(!decision || decision->ns == a_decision(m).ns);
      s->put_image(an_image(m, 3000));
      ASSERT_TRUE(s->find_image(an_image(m).key, m)) << round << " " << said();
    }
    s->list();
    s->stats();
  }
}

TEST_F(damage_test, damage_that_shows_while_open_is_healed_without_a_restart) {
  const auto s = open();
  for (int i = 0; i < 200; ++i) s->put_image(an_image("m" + std::to_string(i), 5000));
  s->gc(std::int64_t(1) << 40);  // everything into the file itself
  std::string all = bytes();
  std::fill(all.begin() + 4096, all.end(), '\xee');
  {
    std::fstream f(file(), std::ios::binary | std::ios::in | std::ios::out);
    f << all;
  }
  const auto other = open();  // reads the file as it is now
  for (int i = 0; i < 200; ++i) other->find_image(an_image("m" + std::to_string(i)).key, "m" + std::to_string(i));
  other->put_image(an_image("new"));
  EXPECT_TRUE(other->find_image(an_image("new").key, "new"));
  EXPECT_TRUE(other->persistent()) << said();
  EXPECT_EQ(set_aside(), 1);
}

TEST_F(damage_test, a_table_that_lacks_a_column_is_damage) {
  fill();
  sql("ALTER TABLE image DROP COLUMN label");
  expect_works();
  EXPECT_EQ(set_aside(), 1);
}

TEST_F(damage_test, a_database_of_another_program_is_left_alone) {
  std::filesystem::create_directories(folder);
  sql("CREATE TABLE notes (t); INSERT INTO notes VALUES ('mine')");
  const std::string before = bytes();
  {
    const auto s = open();
    EXPECT_FALSE(s->persistent());
    s->put_image(an_image());
    EXPECT_TRUE(s->find_image(an_image().key, an_image().material));
  }
  EXPECT_EQ(bytes(), before);
  EXPECT_EQ(warnings.size(), 1u) << said();
}

TEST_F(damage_test, a_newer_schema_is_read_and_never_altered) {
  fill();
  sql("ALTER TABLE image ADD COLUMN more TEXT; PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string before = bytes();
  {
    const auto s = open();
    EXPECT_TRUE(s->find_image(an_image().key, an_image().material));
    EXPECT_TRUE(s->find_decision(a_decision().key, a_decision().material));
    s->put_image(an_image("new"));
    s->mark_decision(a_decision().key, "does not load");
    EXPECT_TRUE(s->find_image(an_image("new").key, "new"));
    EXPECT_EQ(s->find_decision(a_decision().key, a_decision().material)->state, "does not load");
    s->drop_image(an_image().key, "refused");
    EXPECT_FALSE(s->find_image(an_image().key, an_image().material));
    EXPECT_EQ(s->stats().schema, 99);
    EXPECT_THROW(s->clear(), jit::error);
  }
  EXPECT_EQ(bytes(), before);
  EXPECT_THAT(said(), HasSubstr("newer"));
}

TEST_F(damage_test, a_newer_schema_that_cannot_be_read_is_left_alone) {
  fill();
  sql("ALTER TABLE image RENAME TO pictures; PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string before = bytes();
  {
    const auto s = open();
    s->put_image(an_image());
    EXPECT_TRUE(s->find_image(an_image().key, an_image().material));
    EXPECT_FALSE(s->persistent());
  }
  EXPECT_EQ(bytes(), before);
}

TEST_F(damage_test, an_older_schema_gets_the_migrations_it_lacks_and_keeps_its_rows) {
  const std::string path = root + "/older.sqlite";
  {
    database db(path, database::mode::read_write);
    migrate(db, {"CREATE TABLE a (x)"});
    db.run("INSERT INTO a VALUES (1)");
  }
  database db(path, database::mode::read_write);
  migrate(db, {"CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x + 1", "CREATE TABLE b (z)"});
  EXPECT_EQ(db.number("PRAGMA user_version"), 3);
  EXPECT_EQ(db.number("SELECT y FROM a"), 2);
  EXPECT_EQ(db.number("SELECT count(*) FROM b"), 0);
}

TEST_F(damage_test, a_migration_that_fails_changes_nothing) {
  database db(root + "/x.sqlite", database::mode::read_write);
  migrate(db, {"CREATE TABLE a (x)"});
  EXPECT_THROW(migrate(db, {"", "CREATE TABLE b (z)", "CREATE TABLE b (z)"}), database_error);
  EXPECT_EQ(db.number("PRAGMA user_version"), 1);
  EXPECT_EQ(db.number("SELECT count(*) FROM sqlite_schema WHERE name = 'b'"), 0);
}

TEST_F(damage_test, the_schema_is_strict_and_says_whose_it_is) {
  fill();
  EXPECT_EQ(ask("PRAGMA application_id"), std::to_string(application_id));
  EXPECT_EQ(ask("PRAGMA user_version"), std::to_string(schema_version()));
  EXPECT_EQ(ask("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND name IN ('image', 'decision', "
                "'candidate') AND strict"),
            "3");
}

}  // namespace
}  // namespace glass::jit
