// A variant that is added while the program runs is listed, chosen, run, verified and timed like a
// built-in one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/lab_command.h"
#include "app/lists.h"
#include "app/options.h"
#include "app/report.h"
#include "gpu/primitives/scan/scan.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

// The first two of many exclusive sums of ones change places, so that no place stays unwritten.
void swapping(Stream& stream, const ScanArgs& args, Scratch& scratch) {
  const BackendTable& table = stream.device().table();
  table.get<Primitive::scan>(find_variant(Primitive::scan, "lookback"))(stream, args, scratch);
  if (scratch.measuring() || args.n < 2) return;
  auto* const out = static_cast<std::byte*>(args.out);
  stream.fill(out, 1, 1);
  stream.fill(out + sizeof(std::uint32_t), 0, sizeof(std::uint32_t));
}

class AddedVariant : public SessionTest {
 protected:
  static constexpr const char* copied = "lookback_copy";  // runs what `lookback` runs
  static constexpr const char* wrong = "swapping";

  AddedVariant() {
    add(copied, original());
    add(wrong, swapping);
  }
  // Added variants stay until the process ends: other tests must not find a wrong one. ctest runs
  // each suite in a process of its own.
  ~AddedVariant() override { add(wrong, original()); }

  // `warpview lab scan --variant NAME`: its exit code, and what it prints.
  static std::pair<int, std::string> lab(const std::string& name, bool only_verify) {
    std::vector<const char*> words = {"warpview", "lab",     "scan",      "--backend",
                                      "cpu",      "--sizes", "1000",      "--runs",
                                      "3",        "--json",  "--variant", name.c_str()};
    if (only_verify) words.push_back("--verify");
    int code = exit_success;
    const auto options = parse_options(static_cast<int>(words.size()), words.data(), code);
    if (!options) return {code, ""};
    testing::internal::CaptureStdout();
    code = run_lab(*options);
    return {code, testing::internal::GetCapturedStdout()};
  }

  const std::unique_ptr<Device> device_ = open_device(Backend::cpu);

 private:
  FunctionOf<Primitive::scan>::Type* original() const {
    return device_->table().get<Primitive::scan>(find_variant(Primitive::scan, "lookback"));
  }
  void add(const char* name, FunctionOf<Primitive::scan>::Type* function) {
    Variant variant = *find_variant(Primitive::scan, "lookback");
    variant.name = name;
    variant.summary = "A test has added it";
    device_->catalogue().add<Primitive::scan>(variant, function);
  }
};

TEST_F(AddedVariant, IsListed) {
  for (const std::string& list : {list_variants_as_text(), list_variants_as_markdown()}) {
    EXPECT_NE(list.find(copied), std::string::npos) << list;
    EXPECT_NE(list.find("A test has added it"), std::string::npos);
  }
  const auto json = catalogue_as_json();
  EXPECT_TRUE(std::any_of(json.begin(), json.end(), [](const auto& variant) {
    return variant["primitive"] == "scan" && variant["name"] == copied;
  }));
}

TEST_F(AddedVariant, IsVerifiedAndTimedByTheLaboratory) {
  const auto [code, text] = lab(copied, false);
  EXPECT_EQ(code, exit_success);
  const auto answers = nlohmann::json::parse(text).at("results");
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].at("variant"), copied);
  EXPECT_EQ(answers[0].at("verified"), true);
  EXPECT_GT(answers[0].at("ms"), 0.0);
  EXPECT_EQ(answers[0].at("runs"), 3);
}

TEST_F(AddedVariant, IsFoundWrongByTheLaboratory) {
  const auto [code, text] = lab(wrong, true);
  EXPECT_EQ(code, exit_verify);
  const auto answers = nlohmann::json::parse(text).at("results");
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].at("verified"), false);
  EXPECT_NE(answers[0].at("difference"), "");
}

// The session's model is what panels show: the combo box of a stage has its `variants`.
TEST_F(AddedVariant, IsChosenAndRunByAStageOfAScene) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  const VariantId added = find_variant(Primitive::scan, copied);
  const StageRow& scan = stage(window.model, "scan");
  const auto place = std::find(scan.variants.begin(), scan.variants.end(), added);
  ASSERT_NE(place, scan.variants.end());
  EXPECT_EQ(scan.why_not[static_cast<std::size_t>(place - scan.variants.begin())], "");

  choose(window.model, "scan", copied);
  window.until([&] { return scan.result->variant == added && scan.result->has_times(); });
  EXPECT_EQ(scan.variant, added);
  EXPECT_TRUE(window.model.messages.empty());
  EXPECT_EQ(count(window.model, "mesh.triangles"), 2000U);
}

TEST_F(AddedVariant, IsVerifiedInAScene) {
  const auto scans_right = [](const char* variant) {
    Model model;
    Session session(model, {}, open_device(Backend::cpu), GlTest::context().shared(),
                    Session::Mode::headless);
    SceneDescription scene = describe(sphere_of_2000);
    scene.variants.add("scan", variant);
    session.open(scene);
    EXPECT_STREQ((*stage(model, "scan").result->variant)->name, variant);
    const std::vector<Check> checks = session.verify();
    const auto scan = std::find_if(checks.begin(), checks.end(),
                                   [](const Check& check) { return check.stage == "scan"; });
    return scan != checks.end() && scan->difference.empty();
  };
  EXPECT_TRUE(scans_right(copied));
  EXPECT_FALSE(scans_right(wrong));
}

}  // namespace
}  // namespace warpview::test
