// A pack is one file that tells when any row, byte or table of it is not what was packed.
#include <gmock/gmock.h>

#include "pack_fixture.hpp"

namespace glass::jit {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
class pack_rows_test : public pack_fixture {};

TEST_F(pack_rows_test, a_pack_is_one_file_that_holds_what_was_put_in) {
  const pack_info made = make();
  EXPECT_EQ(made.decisions, 2);
  EXPECT_EQ(made.images, 2);
  EXPECT_EQ(made.candidates, 2);
  EXPECT_EQ(made.name, "robot");
  EXPECT_THAT(made.targets, testing::ElementsAre("sm_00"));
  EXPECT_THAT(made.devices, Contains(HasSubstr("power class unspecified")));
  EXPECT_EQ(made.signer, "");
  std::vector<std::string> files;
  for (const auto& e : std::filesystem::directory_iterator(root)) files.push_back(e.path().filename());
  EXPECT_THAT(files, testing::ElementsAre("robot.pack"));
  EXPECT_THAT(faults(), IsEmpty());

  const auto s = mounted({path()});
  const auto image = s->find_image(an_image().key, an_image().material);
  ASSERT_TRUE(image);
  EXPECT_EQ(image->bytes, an_image().bytes);
  EXPECT_EQ(image->layer, "pack robot");
  const auto d = s->find_decision(a_decision().key, a_decision().material);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->ns, a_decision().ns);
  EXPECT_EQ(d->layer, "pack robot");
  EXPECT_EQ(s->candidates(a_decision().key).size(), 2u);
  EXPECT_EQ(s->find_related("posv/1", "f32", "", "throughput").size(), 2u);
  EXPECT_EQ(s->find_family(an_image().family, 0)->key, an_image().key);
  EXPECT_FALSE(s->find_family(an_image().family, 1));
  EXPECT_THAT(warnings, IsEmpty()) << said();
}

TEST_F(pack_rows_test, equal_rows_give_an_equal_manifest_hash_in_any_order_and_at_any_time) {
  const std::string first = make().content;
  pack_writer w;
  image_row image = an_image("of another");
  image.created = 77, image.compile_seconds = 9;
  decision_row later = a_decision();
  later.created = "2031-01-01T00:00:00Z";
  candidate_row slow = a_candidate("scope=thread", {1, 2, 3});
  slow.compile_seconds = 8;
  w.add(image);
  w.add(a_decision("another"), {});
  w.add(later, {slow, a_candidate("scope=tile8 pack=16")});
  w.add(an_image());
  EXPECT_EQ(w.finish(path("later.pack"), "").content, first);
  pack_writer other;
  other.add(a_decision(), {});
  EXPECT_NE(other.finish(path("other.pack"), "").content, first);
}

// Every column of every table: a row that was changed is not found, and verify names it.
TEST_F(pack_rows_test, a_changed_column_of_any_row_is_found) {
  const std::string whole = (make(), bytes_of());
  int columns = 0;
  for (const std::string table : {"image", "decision", "candidate"}) {
    sqlite3* db = nullptr;
    sqlite3_stmt* q = nullptr;
    std::vector<std::pair<std::string, std::string>> all;
    sqlite3_open(path().c_str(), &db);
    sqlite3_prepare_v2(db, ("SELECT name, type FROM pragma_table_info('" + table + "')").c_str(), -1, &q, nullptr);
    while (sqlite3_step(q) == SQLITE_ROW)
      all.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(q, 0)),
                       reinterpret_cast<const char*>(sqlite3_column_text(q, 1)));
    sqlite3_finalize(q);
    sqlite3_close(db);
    for (const auto& [column, type] : all) {
      write("robot.pack", whole);
      const std::string first = " WHERE rowid = (SELECT min(rowid) FROM " + table + ")";
      change("UPDATE " + table + " SET " + column + " = " +
             (type == "TEXT" || type == "ANY" ? column + " || 'x'"
              : type == "BLOB"                ? "zeroblob(8)"
                                              : column + " + 1") +
             first);
      EXPECT_THAT(faults(), Contains(HasSubstr(table.substr(0, 5)))) << table << "." << column;
      ++columns;
    }
  }
  EXPECT_GE(columns, 14 + 25 + 8);
}

TEST_F(pack_rows_test, a_number_that_only_looks_the_same_in_fewer_bits_is_found) {
  make();
  change("UPDATE decision SET batch_class = batch_class + 4294967296");
  EXPECT_THAT(faults(), SizeIs(2));
}

TEST_F(pack_rows_test, a_row_added_after_packing_does_not_exist) {
  make();
  change("INSERT INTO image SELECT '" + hash("new") +
         "', 'new', family, backend, compiler, target, name, label, bytes, length, hash, compile_seconds, created, "
         "last_used FROM image LIMIT 1");
  change(
      "INSERT INTO candidate SELECT decision_key, 'scope=block pack=1', state, reason, ns, compile_seconds, "
      "image_key, hash FROM candidate LIMIT 1");
  EXPECT_THAT(faults(),
              Contains(HasSubstr("image " + hash("new").substr(0, 12) + ": it is not in the pack's manifest")));
  EXPECT_THAT(faults(), Contains(HasSubstr("candidate")));
  change("INSERT INTO counter VALUES ('2026-01-01', 'tuned', 1)");
  EXPECT_THAT(faults(), Contains(HasSubstr("counter")));
  const auto s = mounted({path()});
  EXPECT_FALSE(s->find_image(hash("new"), "new"));
  EXPECT_THAT(s->candidates(a_decision().key), SizeIs(2));
  EXPECT_TRUE(s->find_image(an_image().key, an_image().material)) << "the others are as they were";
}

TEST_F(pack_rows_test, a_row_removed_after_packing_is_named) {
  make();
  change("DELETE FROM decision WHERE key = '" + a_decision("another").key + "'; DELETE FROM image WHERE key = '" +
         an_image().key + "'");
  EXPECT_THAT(faults(), Contains("decision " + a_decision("another").key.substr(0, 12) + ": it is missing"));
  EXPECT_THAT(faults(), Contains("image " + an_image().key.substr(0, 12) + ": it is missing"));
  const auto s = mounted({path()});
  EXPECT_FALSE(s->find_image(an_image().key, an_image().material));
  EXPECT_THAT(warnings, Contains(HasSubstr("it is missing")));
}

TEST_F(pack_rows_test, a_changed_image_is_not_found_and_the_warning_names_pack_and_row) {
  make();
  change("UPDATE image SET label = 'scope=warp' WHERE key = '" + an_image().key + "'");
  const auto s = mounted({path()});
  EXPECT_FALSE(s->find_image(an_image().key, an_image().material));
  EXPECT_FALSE(s->find_family(an_image().family, 0));
  EXPECT_TRUE(s->find_image(an_image("of another").key, "of another"));
  ASSERT_THAT(warnings, SizeIs(1)) << said();
  EXPECT_THAT(warnings[0], testing::AllOf(HasSubstr("pack robot"), HasSubstr(an_image().key.substr(0, 12))));
}

TEST_F(pack_rows_test, a_byte_of_statement_or_manifest_that_was_changed_refuses_the_pack) {
  const std::string whole = (make(), bytes_of());
  change("UPDATE pack SET value = CAST(replace(value, 'images: 2', 'images: 3') AS BLOB) WHERE name = 'statement'");
  EXPECT_NE(refusal(path()), "");
  write("robot.pack", whole);
  change("UPDATE pack SET value = CAST(zeroblob(length(value)) AS BLOB) WHERE name = 'manifest'");
  EXPECT_EQ(refusal(path()), "its manifest is damaged");
  write("robot.pack", whole);
  change("DELETE FROM pack");
  EXPECT_EQ(refusal(path()), "it has no statement");
}

TEST_F(pack_rows_test, tables_views_and_triggers_that_are_not_a_packs_refuse_it) {
  const std::string whole = (make(), bytes_of());
  for (const char* more :
       {"CREATE VIEW v AS SELECT 1", "CREATE TABLE t (x)", "CREATE INDEX i ON image (label)", "DROP INDEX image_family",
        "CREATE TRIGGER t AFTER INSERT ON image BEGIN SELECT 1; END", "ALTER TABLE image ADD COLUMN more TEXT",
        "DROP TABLE candidate", "PRAGMA user_version = 0"}) {
    write("robot.pack", whole);
    change(more);
    EXPECT_EQ(refusal(path()), "its tables are not those of a pack") << more;
  }
}

TEST_F(pack_rows_test, what_is_no_pack_is_told_apart) {
  EXPECT_EQ(refusal(path("missing")), "there is no such file");
  EXPECT_EQ(refusal(root), "it is no file");
  write("empty", "");
  EXPECT_EQ(refusal(path("empty")), "it is no pack");
  write("text", std::string(5000, 'x'));
  EXPECT_EQ(refusal(path("text")), "it is no pack");
  open()->put_image(an_image());
  EXPECT_THAT(refusal(file()), HasSubstr("it is a cache, not a pack"));
  const std::string whole = (make(), bytes_of());
  write("short", whole.substr(0, whole.size() - 4096));
  EXPECT_THAT(refusal(path("short")), HasSubstr("cut short"));
  std::string newer = whole;
  newer[63] = 100;
  write("newer", newer);
  EXPECT_EQ(refusal(path("newer")), "it was made by a newer glass");
  change("PRAGMA journal_mode = WAL; DELETE FROM image");
  EXPECT_THAT(refusal(path()), HasSubstr("opened for writing"));
}

TEST_F(pack_rows_test, a_pack_that_others_may_write_needs_a_signature) {
  make();
  ::chmod(path().c_str(), 0664);
  EXPECT_THAT(refusal(path()), HasSubstr("others can write it"));
  ::chmod(path().c_str(), 0444);
  EXPECT_EQ(refusal(path()), "");
}

// No byte of the file may be changed without notice, as far as it says anything: each mutation either refuses the pack,
// is named by verify, or changes nothing that is read.
TEST_F(pack_rows_test, a_flipped_byte_never_gives_another_row) {
  const std::string whole = (make(), bytes_of());
  unsigned seed = 1;
  int found = 0;
  for (int i = 0; i < 150; ++i) {
    std::string bad = whole;
    seed = seed * 1664525u + 1013904223u;
    const std::size_t at = i < 100 ? std::size_t(i) : (seed >> 8) % whole.size();
    bad[at] = char(bad[at] ^ (1 << (seed >> 5 & 7)));
    write("bad.pack", bad);
    ++found;
    try {
      pack p = pack::open(path("bad.pack"), nullptr);
      const auto image = p.rows->find_image(an_image().key, an_image().material);
      EXPECT_TRUE(!image || image->bytes == an_image().bytes) << at;
      const auto d = p.rows->find_decision(a_decision().key, a_decision().material);
      EXPECT_TRUE(!d || d->placement == a_decision().placement) << at;
      if (faults_of(p).empty()) --found;  // a free byte
    } catch (const error&) {
    } catch (const damaged_row&) {
    } catch (const database_error&) {}
  }
  EXPECT_GT(found, 40);
}

}  // namespace
}  // namespace glass::jit
