#include "gpu/timeline/copy_curve.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/devices.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

class CopyCurveTest : public testing::Test {
 protected:
  CopyCurveTest() { std::filesystem::remove_all(folder_); }
  ~CopyCurveTest() override { std::filesystem::remove_all(folder_); }

  Device& device() { return small_; }
  CopyCurve measured() {
    CopyCurve curve(device(), folder_, enough_seconds);
    while (curve.step()) {
    }
    return curve;
  }

  static constexpr double enough_seconds = 1e6;  // for every size, however slow the machine
  const std::shared_ptr<Device> whole_ = devices_for(1).front().device;
  SmallDevice small_{whole_, std::uint64_t{1} << 24U};  // measures nine sizes
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / "warpview_copy_curve" /
      testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(CopyCurveTest, EndsWhenItsTimeIsOver) {
  CopyCurve curve(device(), {}, 0.0);
  EXPECT_FALSE(curve.step());
  EXPECT_TRUE(curve.complete());
  EXPECT_EQ(curve.points().size(), 1U);
}

TEST_F(CopyCurveTest, MeasuresAscendingSizes) {
  CopyCurve curve(*whole_, {}, enough_seconds);
  EXPECT_EQ(curve.gb_per_s(1000), 0.0);
  EXPECT_EQ(curve.largest_gb_per_s(), 0.0);
  while (curve.step()) {
  }
  EXPECT_TRUE(curve.complete());
  EXPECT_FALSE(curve.step());
  ASSERT_GE(curve.points().size(), 4U);
  EXPECT_EQ(curve.points().front().bytes_moved, 2U << 12U);
  for (std::size_t i = 1; i < curve.points().size(); ++i)
    EXPECT_EQ(curve.points()[i].bytes_moved, 2 * curve.points()[i - 1].bytes_moved);
  for (const CopyCurve::Point& point : curve.points()) EXPECT_GT(point.gb_per_s, 0.0);
  EXPECT_LE(curve.points().back().bytes_moved, 2U << 28U);
}

TEST_F(CopyCurveTest, LeavesMostOfTheMemoryToOthers) {
  const CopyCurve curve = measured();
  const std::uint64_t both_buffers = curve.points().back().bytes_moved;
  EXPECT_LE(both_buffers, small_.memory_available() / 8);
  EXPECT_GT(2 * both_buffers, small_.memory_available() / 8);
}

TEST_F(CopyCurveTest, Interpolates) {
  const CopyCurve curve = measured();
  const auto& points = curve.points();
  EXPECT_EQ(curve.gb_per_s(1), points.front().gb_per_s);
  EXPECT_EQ(curve.gb_per_s(std::uint64_t{1} << 40U), points.back().gb_per_s);
  EXPECT_NEAR(curve.gb_per_s(points[1].bytes_moved), points[1].gb_per_s, 1e-9 * points[1].gb_per_s);
  const double between = curve.gb_per_s(points[1].bytes_moved * 3 / 2);
  EXPECT_GE(between, std::min(points[1].gb_per_s, points[2].gb_per_s));
  EXPECT_LE(between, std::max(points[1].gb_per_s, points[2].gb_per_s));
}

TEST_F(CopyCurveTest, IsKeptInAFile) {
  const CopyCurve first = measured();
  const CopyCurve second(device(), folder_, enough_seconds);
  EXPECT_TRUE(second.complete());
  ASSERT_EQ(second.points().size(), first.points().size());
  for (std::size_t i = 0; i < first.points().size(); ++i) {
    EXPECT_EQ(second.points()[i].bytes_moved, first.points()[i].bytes_moved);
    EXPECT_DOUBLE_EQ(second.points()[i].gb_per_s, first.points()[i].gb_per_s);
  }
}

TEST_F(CopyCurveTest, MeasuresAgainIfTheFileIsCorrupt) {
  const std::filesystem::path file = measured().file();
  std::ifstream in(file);
  const std::string sound{std::istreambuf_iterator<char>(in), {}};
  const std::string points = sound.substr(sound.find("\"points\""));
  const std::string beginning = sound.substr(0, sound.find("\"points\""));
  for (const std::string& text :
       {std::string(), std::string("[1, 2"), std::string("[]"), std::string("\"x\""),
        sound.substr(0, sound.size() / 2), "{" + points,
        beginning + "\"points\": [[8192, 1.0], [4096, 1.0]]}", beginning + "\"points\": [[1]]}",
        beginning + "\"points\": []}", beginning + "\"points\": [[8192, -1.0]]}",
        beginning + "\"points\": [[\"a\", \"b\"]]}", beginning + "\"points\": 3}"}) {
    SCOPED_TRACE(text);
    std::ofstream(file) << text;
    CopyCurve curve(device(), folder_, enough_seconds);
    EXPECT_FALSE(curve.complete());
    curve.step();
    EXPECT_GT(curve.largest_gb_per_s(), 0.0);
  }
}

TEST_F(CopyCurveTest, IgnoresAnUnwritableFolder) {
  std::filesystem::create_directories(folder_.parent_path());
  std::ofstream(folder_) << "a file in the folder's place";
  const CopyCurve curve = measured();
  EXPECT_TRUE(curve.complete());
  EXPECT_GT(curve.largest_gb_per_s(), 0.0);
}

}  // namespace
}  // namespace warpview::test
