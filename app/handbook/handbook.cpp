#include "app/handbook/handbook.h"

#include <algorithm>
#include <exception>
#include <filesystem>

#include "guide_file.h"
#include "handbook_file.h"
#include "kernel_source.h"

namespace warpview {
namespace {

constexpr std::string_view page_end = ".md";
constexpr std::string_view primitives_folder = "docs/primitives";

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A drawing has its file's name wherever it is.
std::string_view contents_of(std::string_view name) {
  if (has(handbook_file_names(), name)) return handbook_file(name);
  if (has(guide_file_names(), name)) return guide_file(name);
  for (const std::string_view path : guide_file_names())
    if (std::filesystem::path(path).filename() == name && !name.ends_with(page_end))
      return guide_file(path);
  return {};
}

// What `read` makes of a file, made once; null, and why, where that fails.
template <class Item, class Read>
const Item* item_of(std::map<std::string, std::optional<Item>>& items,
                    std::map<std::string, std::string>& troubles, const std::string& file,
                    Read&& read) {
  const auto [found, is_new] = items.try_emplace(file);
  if (is_new) {
    try {
      if (is_in_handbook(file))
        found->second = read(contents_of(file));
      else
        troubles[file] = "The program has no " + file + ".";
    } catch (const std::exception& error) {
      troubles[file] = file + ": " + error.what();
    }
  }
  return found->second ? &*found->second : nullptr;
}

}  // namespace

std::string page_name(Primitive primitive) {
  return std::string(to_string(primitive)) + std::string(page_end);
}

std::optional<Primitive> primitive_of_page(std::string_view page) {
  for (int p = 0; p < primitive_count; ++p)
    if (page_name(static_cast<Primitive>(p)) == page) return static_cast<Primitive>(p);
  return {};
}

std::string scene_page(std::string_view scene) {
  return "docs/scenes/" + std::string(scene) + std::string(page_end);
}

std::string file_of_page(std::string_view page) {
  if (page.find('/') != std::string_view::npos) return std::string(page);
  return std::string(primitives_folder) + "/" + std::string(page);
}

bool is_in_handbook(std::string_view file) { return !contents_of(file).empty(); }

const Page* Handbook::page(const std::string& file) {
  return item_of(pages_, troubles_, file, read_page);
}

const Figure* Handbook::figure(const std::string& file) {
  return item_of(figures_, troubles_, std::filesystem::path(file).filename().string(), read_figure);
}

std::string Handbook::why_not(const std::string& file) const {
  const auto found = troubles_.find(file);
  return found == troubles_.end() ? std::string() : found->second;
}

HandbookLink resolved(std::string_view link, std::string_view page) {
  using Kind = HandbookLink::Kind;
  if (link.find("://") != std::string_view::npos || link.starts_with("mailto:"))
    return {.kind = Kind::web, .target = std::string(link)};
  const std::size_t hash = std::min(link.find('#'), link.size());
  const std::string anchor(link.substr(std::min(hash + 1, link.size())));
  if (hash == 0) return {.kind = Kind::heading, .anchor = anchor};
  const std::filesystem::path folder = std::filesystem::path(file_of_page(page)).parent_path();
  const std::filesystem::path path = (folder / link.substr(0, hash)).lexically_normal();
  const std::string name =
      path.parent_path() == primitives_folder ? path.filename().string() : path.string();
  if (name.ends_with(page_end) && is_in_handbook(name))
    return {.kind = Kind::page, .target = name, .anchor = anchor};
  const bool is_source = has(kernel_source_names(), path.string());
  return {.kind = is_source ? Kind::source : Kind::file, .target = path.string(), .anchor = anchor};
}

}  // namespace warpview
