// JSON that remembers where it stood.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpview {

// A value, and where it began.
struct JsonNode {
  int line = 1;       // of a member: where its key stands
  std::string key{};  // of a member
  // What it is, where it is neither object nor array; of these an empty one.
  nlohmann::ordered_json value{};
  std::vector<JsonNode> children{};  // members, no two with the same key, or elements; as written
};

// Reads a document, in time that grows with the bytes of the file. Error names the file and the
// line of what is no JSON, of a key that its object has already, and of a text that holds a NUL
// character. At most 16 MiB are read.
JsonNode read_json(const std::filesystem::path& path);

}  // namespace warpview
