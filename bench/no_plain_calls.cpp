#include "bench/plain_calls.h"

namespace warpview::bench {

std::vector<PlainCallKind> plain_calls(Backend /*backend*/) { return {}; }

}  // namespace warpview::bench
