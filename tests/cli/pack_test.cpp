// From the bench to the robot by the program: README's five commands as they are printed, and what each says.
#include <gmock/gmock.h>

#include "program.hpp"

namespace glass::jit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PackCommands : public program {
 protected:
  PackCommands() { own_cache = true; }
  void SetUp() override {
    program::SetUp();
    std::filesystem::remove_all(path("cache"));
    write("problems.json", R"({"problems": [{"operation": "dot", "sizes": {"N": 3}, "type": "f32", "batch": 16}]})");
  }
  // Lines of README's listing of that name.
  std::vector<std::string> listing(const std::string& name) const {
    std::istringstream text(read(GLASS_SOURCE_DIR "/README.md"));
    std::vector<std::string> lines;
    std::string line;
    while (std::getline(text, line) && line != "<!-- listing " + name + " -->") {}
    std::getline(text, line);  // the fence
    while (std::getline(text, line) && line != "```") lines.push_back(line);
    return lines;
  }
  int shell(const std::string& line, const std::string& cache, const std::string& more = {}) const {
    std::ofstream(path("line.sh")) << line << "\n";
    return std::system(("cd " + folder_.string() +
                        " && PATH=" GLASS_BINARY_DIR ":$PATH GLASS_DEVICE=host GLASS_CACHE=" + cache + " " + more +
                        " sh -e line.sh >said 2>&1")
                           .c_str());
  }
};

TEST_F(PackCommands, TheFiveCommandsOfTheReadmeBringAPackFromBenchToRobot) {
  const auto commands = listing("robot");
  ASSERT_EQ(commands.size(), 5u);
  for (std::size_t i = 0; i < 4; ++i)
    ASSERT_EQ(shell(commands[i], path("bench")), 0) << commands[i] << "\n" << read(path("said"));
  EXPECT_THAT(read(path("said")), HasSubstr("robot.pack is sound: 1 decisions"));
  // The robot: another cache, no write access, no compiler.
  const std::string robot = path("robot");
  std::filesystem::create_directory(robot);
  for (const char* file : {"robot.pack", "robot.key.pub", "problems.json"})
    std::filesystem::copy_file(path(file), robot + "/" + file);
  std::filesystem::permissions(robot, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const int status = shell("cd robot\n" + commands[4] + " --json", "memory", "CXX=/none");
  std::filesystem::permissions(robot, std::filesystem::perms::owner_all);
  ASSERT_EQ(status, 0) << read(path("said"));
  const auto said = nlohmann::ordered_json::parse(read(path("said")));
  EXPECT_EQ(said["compiles"], 0);
  EXPECT_EQ(said["tuning_launches"], 0);
  EXPECT_EQ(said["failed"], 0);
  EXPECT_EQ(said["problems"][0]["tier"], "exact");
}

TEST_F(PackCommands, SayWhatTheyDidAndWhatIsWrong) {
  ASSERT_EQ(glass("tune problems.json").status, 0);
  ASSERT_EQ(std::system(("ssh-keygen -q -t ed25519 -N '' -f " + path("id")).c_str()), 0);
  const auto made = glass("cache export a.pack --key id --json");
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(keys_of(made.json()),
              ElementsAre("name", "path", "decisions", "images", "candidates", "bytes", "content", "targets", "devices",
                          "signer", "made", "made_by", "glass", "trouble", "notes"));
  EXPECT_EQ(made.json()["decisions"], 1);
  EXPECT_EQ(glass("cache export b.pack --json").json()["content"], made.json()["content"]);
  EXPECT_EQ(glass("cache verify a.pack --keys id.pub").status, 0);
  EXPECT_THAT(glass("cache verify b.pack --keys id.pub").out, HasSubstr("it is not signed, and a key is required"));
  EXPECT_EQ(glass("cache verify b.pack", "GLASS_PACK_KEYS=id.pub").status, 1);
  EXPECT_EQ(glass("cache sign b.pack --key id").status, 0);
  EXPECT_EQ(glass("cache verify b.pack", "GLASS_PACK_KEYS=id.pub").status, 0);
  EXPECT_EQ(glass("cache diff a.pack b.pack").status, 0);
  EXPECT_EQ(glass("cache merge c.pack a.pack cache b.pack --json").json()["content"], made.json()["content"]);
  EXPECT_EQ(glass("cache diff a.pack empty").status, 1);

  EXPECT_THAT(glass("cache ls --cache a.pack").out, AllOf(HasSubstr("dot N=3"), HasSubstr("pack a")));
  const auto stats = glass("cache stats --json", "GLASS_PACKS=a.pack:missing.pack").json();
  EXPECT_EQ(stats["packs"][0]["decisions"], 1);
  EXPECT_EQ(stats["packs"][1]["trouble"], "there is no such file");
  const std::string id = glass("cache ls --json --cache a.pack").json()["entries"][0]["id"];
  EXPECT_THAT(glass("cache show " + id + " --cache a.pack").out, HasSubstr("layer: pack a"));
  EXPECT_THAT(glass("cache gc --cache a.pack").err, HasSubstr("is a pack, which is never changed"));
  EXPECT_THAT(glass("cache stats --cache problems.json").err, HasSubstr("it is no pack"));

  const auto taken = glass("cache import a.pack --cache other --json").json();
  EXPECT_EQ(taken["decisions"], 1);
  EXPECT_THAT(taken["notes"], Contains(HasSubstr("dot N=3")));
  EXPECT_EQ(glass("tune problems.json --json", "GLASS_CACHE=other").json()["tuning_launches"], 0);

  std::string bytes = read(path("a.pack"));
  char& byte = bytes[bytes.find("\x7f"
                                "ELF") +
                     100];  // of an image
  byte = char(byte ^ 4);
  write("a.pack", bytes);
  EXPECT_EQ(glass("cache verify a.pack").status, 1);
  const auto checked = glass("cache verify a.pack --json").json();
  EXPECT_EQ(checked["sound"], false);
  EXPECT_FALSE(checked["faults"].empty());
}

TEST_F(PackCommands, AForeignPackIsOneWarningAndTheRunGoesOn) {
  ASSERT_EQ(glass("tune problems.json").status, 0);
  ASSERT_EQ(glass("cache keygen ours").status, 0);
  ASSERT_EQ(glass("cache keygen theirs").status, 0);
  ASSERT_EQ(glass("cache export robot.pack --key theirs").status, 0);
  const auto run = glass("run dot --size N=3 --batch 16 --tune off",
                         "GLASS_PACKS=robot.pack GLASS_PACK_KEYS=ours.pub GLASS_CACHE=memory");
  EXPECT_EQ(run.status, 0) << run.err;
  const std::string once = "robot.pack is not used";
  ASSERT_THAT(run.err, HasSubstr(once));
  EXPECT_EQ(run.err.find(once), run.err.rfind(once));
}

}  // namespace
}  // namespace glass::jit
