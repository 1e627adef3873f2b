// The system's library, instrumented like this project's code.
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>
