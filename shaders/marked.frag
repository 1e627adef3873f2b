// The body of a highlighted triangle.
uniform float opacity;

layout(location = 0) out vec4 colour;

void main() { colour = vec4(1.0, 0.78, 0.25, 0.6 * opacity); }
