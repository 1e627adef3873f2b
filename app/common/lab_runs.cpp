#include "app/common/lab_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "app/common/csv.h"

namespace warpview {
namespace {

constexpr std::size_t own_columns = 4;

std::string head_line() {
  std::vector<std::string> names = lab_csv_names();
  for (const char* const own : {"at", "backend", "device", "asked_by"}) names.emplace_back(own);
  return csv_line(names);
}

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  int number = 0;
  const char* const begin = text.data() + at;
  const auto [end, error] = std::from_chars(begin, begin + count, number);
  if (error != std::errc() || end != begin + count || number < 0) return {};
  return number;
}

// "2026-01-31T23:59:59Z"
std::string utc_in_words(std::chrono::sys_seconds at) {
  using namespace std::chrono;
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss time(at - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::string run_as_csv(const MeasuredRun& run) {
  std::vector<std::string> fields = lab_csv_fields(run.row);
  fields.insert(fields.end(), {utc_in_words(run.at), run.backend, run.device, run.asked_by});
  for (std::string& field : fields)
    for (char& c : field)
      if (c == '\n' || c == '\r') c = ' ';
  return csv_line(fields);
}

// Reads what utc_in_words() writes.
std::optional<std::chrono::sys_seconds> read_utc(std::string_view text) {
  using namespace std::chrono;
  constexpr std::string_view shape = "0000-00-00T00:00:00Z";
  if (text.size() != shape.size()) return {};
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != '0' && text[i] != shape[i]) return {};
  const auto y = digits(text, 0, 4), mo = digits(text, 5, 2), d = digits(text, 8, 2);
  const auto h = digits(text, 11, 2), mi = digits(text, 14, 2), s = digits(text, 17, 2);
  if (!y || !mo || !d || !h || !mi || !s || *h > 23 || *mi > 59 || *s > 59) return {};
  const year_month_day date{year(*y), month(static_cast<unsigned>(*mo)),
                            day(static_cast<unsigned>(*d))};
  if (!date.ok()) return {};
  return sys_days(date) + hours(*h) + minutes(*mi) + seconds(*s);
}

std::optional<MeasuredRun> read_run(std::span<const std::string> fields) {
  if (fields.size() != own_columns + lab_csv_columns) return {};
  auto row = read_lab_csv(fields.first(lab_csv_columns));
  const std::span<const std::string> own = fields.subspan(lab_csv_columns);
  const auto at = read_utc(own[0]);
  if (!at || !row) return {};
  return MeasuredRun{
      .at = *at, .backend = own[1], .device = own[2], .asked_by = own[3], .row = *std::move(row)};
}

}  // namespace

void LabRuns::add(MeasuredRun run) {
  run.id = ++last_id_;
  all_.push_back(std::move(run));
  ++added_;
  trim();
}

void LabRuns::add_kept(std::vector<MeasuredRun> runs) {
  for (MeasuredRun& run : runs) run.id = ++last_id_;
  all_.insert(all_.begin(), std::make_move_iterator(runs.begin()),
              std::make_move_iterator(runs.end()));
  trim();
}

std::vector<MeasuredRun> LabRuns::last(std::size_t count) const {
  const auto first = all_.end() - static_cast<std::ptrdiff_t>(std::min(count, all_.size()));
  return {first, all_.end()};
}

void LabRuns::clear() {
  if (all_.empty()) return;
  cleared_ = std::exchange(all_, {});
  ++version_;
  ++rewrites_;
}

void LabRuns::restore() {
  all_.insert(all_.begin(), std::make_move_iterator(cleared_.begin()),
              std::make_move_iterator(cleared_.end()));
  cleared_.clear();
  ++rewrites_;
  trim();
}

void LabRuns::trim() {
  ++version_;
  if (all_.size() > most) all_.erase(all_.begin(), all_.end() - static_cast<std::ptrdiff_t>(most));
}

std::string runs_as_csv(std::span<const MeasuredRun> runs) {
  std::string text = head_line();
  for (const MeasuredRun& run : runs) text += run_as_csv(run);
  return text;
}

std::optional<VariantId> variant_of(const LabCsvRow& row) {
  for (const VariantId variant : variants())
    if (row.variant == variant->name && row.primitive == to_string(variant->primitive))
      return variant;
  return {};
}

std::string variant_title(const LabCsvRow& row) {
  const std::optional<VariantId> variant = variant_of(row);
  return variant ? (*variant)->title : row.variant;
}

std::string primitive_title(std::string_view name) {
  for (int p = 0; p < primitive_count; ++p)
    if (const auto primitive = static_cast<Primitive>(p); name == to_string(primitive))
      return title(primitive);
  return std::string(name);
}

RunsRead read_runs(std::string_view text) {
  RunsRead read;
  if (text.empty()) return read;
  const std::string head = head_line();
  read.is_ours = text.starts_with(head);
  if (!read.is_ours) return read;
  text.remove_prefix(head.size());
  while (!text.empty()) {
    // A quote that never closes damages only its own line.
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    const auto fields = take_csv_line(line);
    auto run = fields ? read_run(*fields) : std::nullopt;
    if (run)
      read.runs.push_back(*std::move(run));
    else
      ++read.damaged;
  }
  if (read.runs.size() > LabRuns::most)
    read.runs.erase(read.runs.begin(),
                    read.runs.end() - static_cast<std::ptrdiff_t>(LabRuns::most));
  return read;
}

}  // namespace warpview
