// If a file imports Testing and UIKit, the compiler also imports this module. Testing declares this import for every
// system, but has the module only on Apple's systems. So this empty module takes its place on Linux. Without it, such a
// file doesn't compile.
