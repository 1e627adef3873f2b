#include "gpu/runtime/ptx.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>

#if !defined(WARPVIEW_PTX_ABSENT)
#include <zlib.h>

#include <array>
#include <charconv>

#include "packed_ptx.h"
#endif

namespace warpview {
namespace {

#if !defined(WARPVIEW_PTX_ABSENT)

// The archive that cmake/pack_ptx.py made. Empty if it cannot be unpacked, which the tests would
// notice.
std::string unpacked(std::string_view packed) {
  constexpr int gzip = 16;
  z_stream stream{};
  if (inflateInit2(&stream, gzip + MAX_WBITS) != Z_OK) return {};
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  // zlib only reads from it.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  std::array<char, 1U << 16U> piece;
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(piece.data(), piece.size() - stream.avail_out);
  }
  return status == Z_STREAM_END ? text : std::string();
}

std::string_view until_zero(std::string_view field) { return field.substr(0, field.find('\0')); }

// The contents of a file of the archive. Tar: a header of 512 bytes, the name at 0, the size in
// octal digits at 124 and the kind at 156, then the contents in blocks of 512. A name too long for
// its field precedes the file, as the contents of a file of kind L.
std::string_view file_in_tar(std::string_view tar,
                             const std::function<bool(std::string_view)>& wanted) {
  constexpr std::size_t block = 512;
  std::string_view long_name;
  while (tar.size() >= block && tar[0] != '\0') {
    const std::string_view name =
        long_name.empty() ? until_zero(tar.substr(0, 100)) : until_zero(long_name);
    const std::string_view digits = tar.substr(124, 11);
    std::size_t size = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), size, 8);
    if (size > tar.size() - block) break;
    const std::string_view contents = tar.substr(block, size);
    const bool is_name = tar[156] == 'L';
    if (!is_name && wanted(name)) return contents;
    long_name = is_name ? contents : std::string_view();
    tar.remove_prefix(std::min(block + (size + block - 1) / block * block, tar.size()));
  }
  return {};
}

std::string_view folder_of(std::string_view file) { return file.substr(0, file.rfind('/') + 1); }

// Does a name in the archive, a list of kernel files with spaces between them, hold a file that
// meets the condition?
template <class Condition>
bool has_file(std::string_view list, Condition condition) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (condition(list.substr(0, end))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

#endif

// nvcc names an unnamed namespace after its file: "_GLOBAL__N__0d5b99b7_11_lookback_cu_3d06dfe6",
// and mangling writes the length before it. Without the two hashes, which may differ from compiler
// call to compiler call.
std::string without_hashes(std::string_view symbol) {
  constexpr std::string_view mark = "_GLOBAL__N__";
  constexpr std::size_t hash = 8;
  std::string plain(symbol);
  for (std::size_t at = plain.find(mark); at != std::string::npos; at = plain.find(mark, at)) {
    at += mark.size();
    plain.replace(at, std::min(hash, plain.size() - at), "");
    const std::size_t end = plain.find("_cu_", at);
    if (end == std::string::npos) break;
    plain.replace(end + 4, std::min(hash, plain.size() - end - 4), "");
  }
  return plain;
}

}  // namespace

// Returns "one_pass_kernel<WarpLooksBack>" for "void
// warpview::cuda::scan::one_pass_kernel<...>(...)": without its type, its parameters and the
// namespaces that all kernels share.
std::string kernel_for_people(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0) return symbol;
  std::string name = demangled.get();
  for (const std::string_view common :
       {"(anonymous namespace)::", "warpview::cuda::", "warpview::"})
    for (std::size_t at = name.find(common); at != std::string::npos; at = name.find(common, at))
      name.erase(at, common.size());
  if (name.starts_with("void ")) name.erase(0, 5);
  // The parameters begin at the first bracket outside of template arguments.
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == '(' && depth == 0) return name.substr(0, i);
  }
  return name;
}

std::string ptx_of([[maybe_unused]] std::string_view kernel_file) {
#if defined(WARPVIEW_PTX_ABSENT)
  return {};
#else
  static const std::string archive = unpacked(packed_ptx("ptx.tar.gz"));
  if (kernel_file.ends_with("/library.cu")) return {};
  const auto is_it = [&](std::string_view file) { return file == kernel_file; };
  const auto is_beside_it = [&](std::string_view file) {
    return folder_of(file) == folder_of(kernel_file);
  };
  const std::string_view text =
      file_in_tar(archive, [&](std::string_view name) { return has_file(name, is_it); });
  if (!text.empty()) return std::string(text);
  return std::string(
      file_in_tar(archive, [&](std::string_view name) { return has_file(name, is_beside_it); }));
#endif
}

std::string why_no_ptx(std::string_view kernel_file) {
#if defined(WARPVIEW_PTX_ABSENT)
  static_cast<void>(kernel_file);
  return "PTX is what nvcc makes of a kernel file; this program was " WARPVIEW_PTX_ABSENT ".";
#else
  if (!ptx_of(kernel_file).empty()) return {};
  if (kernel_file.ends_with("/library.cu"))
    return "The PTX of the vendor's library is not part of this program.";
  return "This program holds no PTX of " + std::string(kernel_file) + ".";
#endif
}

std::vector<PtxEntry> ptx_entries(std::string_view ptx) {
  constexpr std::string_view directive = ".entry ";
  std::vector<PtxEntry> entries;
  int line = 0;
  for (std::size_t begin = 0; begin < ptx.size(); ++line) {
    const std::size_t end = std::min(ptx.find('\n', begin), ptx.size());
    const std::string_view text = ptx.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t at = text.find(directive);
    if (at == std::string_view::npos || text.starts_with("//")) continue;
    std::string_view symbol = text.substr(at + directive.size());
    const auto in_symbol = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.';
    };
    symbol = symbol.substr(
        0, static_cast<std::size_t>(std::find_if_not(symbol.begin(), symbol.end(), in_symbol) -
                                    symbol.begin()));
    entries.push_back({std::string(symbol), kernel_for_people(std::string(symbol)), line});
  }
  return entries;
}

std::string only_entries(std::string_view ptx, const std::function<bool(const PtxEntry&)>& wanted) {
  // The text outside of kernels, line by line, and the requested kernels.
  std::vector<std::string_view> outside;
  std::string kernels;
  const std::vector<PtxEntry> entries = ptx_entries(ptx);
  auto entry = entries.begin();
  int line = 0;
  bool inside = false;
  bool kept = false;
  for (std::size_t begin = 0; begin < ptx.size(); ++line) {
    const std::size_t end = std::min(ptx.find('\n', begin), ptx.size());
    const std::string_view text = ptx.substr(begin, end - begin);
    begin = end + 1;
    if (entry != entries.end() && line == entry->line) {
      inside = true;
      kept = wanted(*entry++);
      if (kept) kernels += '\n';
    }
    if (!inside)
      outside.push_back(text);
    else if (kept)
      kernels.append(text) += '\n';
    if (text == "}") inside = false;
  }
  // Returns "_ZN1a5sharedE" for ".shared .align 4 .b8 _ZN1a5sharedE[32];"; empty if nothing is
  // declared.
  const auto declared = [](std::string_view text) -> std::string_view {
    if (!text.ends_with(';') || text.find(" .align ") == std::string_view::npos) return {};
    text = text.substr(0, text.find_first_of("[=;"));
    text = text.substr(0, text.find_last_not_of(' ') + 1);
    return text.substr(text.find_last_of(" \t") + 1);
  };
  std::string all;
  for (const std::string_view text : outside) {
    const std::string_view name = declared(text);
    const bool blank = text.empty() && (all.empty() || all.ends_with("\n\n"));
    if (!blank && (name.empty() || kernels.find(name) != std::string::npos))
      all.append(text) += '\n';
  }
  while (all.ends_with("\n\n")) all.pop_back();
  return all + kernels;
}

bool same_symbol(std::string_view a, std::string_view b) {
  return a == b || without_hashes(a) == without_hashes(b);
}

}  // namespace warpview
