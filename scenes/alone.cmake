# Sources of this folder that are not compiled together with others. The fuzzers compile them, too.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/scenes.def)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/scenes.def scenes_alone REGEX "^SCENE\\(")
# A scene's names are those of a scene.
list(TRANSFORM scenes_alone REPLACE "^SCENE\\((.*)\\)$" "\\1.cpp")
list(APPEND scenes_alone
    # A point is not the same in all references.
    parts/ships_reference.cpp parts/subdivision_reference.cpp
    # Grammars, which take half a minute, and what uses them.
    files/svg_values.cpp files/svg_style.cpp files/svg_entities.cpp files/svg_loader.cpp
    # Its points have normals.
    files/generated.cpp)
list(TRANSFORM scenes_alone PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
compile_alone(${scenes_alone})
