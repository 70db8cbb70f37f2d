// A file that imports Testing and UIKit imports this module, too: Testing says so of every system, and has the module on
// Apple's systems only. Without it such a file doesn't compile.
