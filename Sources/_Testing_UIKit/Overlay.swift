// A file that imports Testing and UIKit imports this module, too. Testing declares this import for every system, but
// has the module only on Apple's systems. Without this module, such a file doesn't compile.
