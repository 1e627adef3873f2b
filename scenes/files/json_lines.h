// JSON that remembers where it stood.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace warpview {

// A key as a JSON pointer has it.
std::string escaped_key(const std::string& key);

// A document, and the line on which each of its values begins.
class JsonLines {
 public:
  // Error names the file and the line of what is no JSON. At most 16 MiB are read.
  explicit JsonLines(const std::filesystem::path& path);

  const nlohmann::ordered_json& root() const { return root_; }
  // Of the value at a JSON pointer, "/files/0/path"; the first line where there is none.
  int line_of(const std::string& pointer) const;

 private:
  nlohmann::ordered_json root_;
  std::map<std::string, int> lines_;
};

}  // namespace warpview
