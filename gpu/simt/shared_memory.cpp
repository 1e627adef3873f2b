#include "gpu/simt/shared_memory.h"

#include <link.h>

#include <cstdint>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace warpview::simt {
namespace {

// The program or the module that contains this function.
struct Module {
  std::string file;
  Bytes thread_local_memory;  // of this OS thread
};

Module this_module() {
  struct Search {
    std::uintptr_t here;
    Module found;
  } search{reinterpret_cast<std::uintptr_t>(&this_module), {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        bool is_this_module = false;
        std::size_t bytes = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
          if (header.p_type == PT_LOAD)
            is_this_module |= begin <= wanted.here && wanted.here < begin + header.p_memsz;
          if (header.p_type == PT_TLS) bytes = header.p_memsz;
        }
        if (!is_this_module) return 0;
        auto* begin = static_cast<std::byte*>(info->dlpi_tls_data);
        wanted.found = {*info->dlpi_name ? info->dlpi_name : "/proc/self/exe",
                        {begin, begin + bytes}};
        return 1;
      },
      &search);
  return std::move(search.found);
}

// `count` objects at an offset of a file; none where the file ends before.
template <class T>
std::vector<T> read(std::ifstream& file, std::size_t offset, std::size_t count) {
  std::vector<T> objects(count);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(objects.data()),
            static_cast<std::streamsize>(count * sizeof(T)));
  if (!file) objects.clear();
  return objects;
}

// Thread-local variables of functions, by mangled name.
std::vector<std::pair<std::string, SharedVariable>> local_variables() {
  std::vector<std::pair<std::string, SharedVariable>> found;
  std::ifstream file(this_module().file, std::ios::binary);
  const auto header = read<ElfW(Ehdr)>(file, 0, 1);
  if (header.empty()) return found;
  const auto sections = read<ElfW(Shdr)>(file, header[0].e_shoff, header[0].e_shnum);
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const auto names =
        read<char>(file, sections[section.sh_link].sh_offset, sections[section.sh_link].sh_size);
    for (const ElfW(Sym) & symbol :
         read<ElfW(Sym)>(file, section.sh_offset, section.sh_size / sizeof(ElfW(Sym)))) {
      if ((symbol.st_info & 0xfU) != STT_TLS || symbol.st_name >= names.size()) continue;
      const std::string name = &names[symbol.st_name];
      // The guards of language.h must not be accessed.
      if (name.starts_with("_ZZ") && name.find("shared_guard_") == std::string::npos)
        found.push_back({name, {symbol.st_value, symbol.st_size}});
    }
  }
  return found;
}

}  // namespace

Bytes thread_local_memory() { return this_module().thread_local_memory; }

std::vector<SharedVariable> shared_variables_of(const char* kernel) {
  static std::mutex mutex;
  static const auto all = local_variables();
  static std::unordered_map<std::string, std::vector<SharedVariable>> by_kernel;

  std::string_view name = kernel;
  name = name.substr(0, name.find('<'));
  if (const auto scope = name.rfind(':'); scope != std::string_view::npos)
    name.remove_prefix(scope + 1);
  const std::string mangled = std::to_string(name.size()) + std::string(name);

  const std::lock_guard lock(mutex);
  const auto [known, is_new] = by_kernel.try_emplace(mangled);
  if (is_new)
    for (const auto& [symbol, variable] : all)
      if (symbol.find(mangled) != std::string::npos)
        known->second.push_back({variable.offset, variable.bytes, symbol});
  return known->second;
}

}  // namespace warpview::simt
