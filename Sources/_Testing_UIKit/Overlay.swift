// A file that imports Testing and UIKit imports this module, too: Testing declares that for every system, but has the
// module only on Apple's systems. Without it such a file doesn't compile.
