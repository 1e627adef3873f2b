// Was this built with a sanitizer?
#pragma once

namespace warpview::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    defined(WARPVIEW_SANITIZE_THREAD)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace warpview::test
