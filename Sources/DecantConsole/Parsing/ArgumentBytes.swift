internal import FileNames
internal import Foundation

/// The words after the program's name in this process's command line, as bytes.
package enum ArgumentBytes {
  /// The first word that isn't UTF-8, in visible ASCII; `nil` if there is none.
  ///
  /// Swift replaces bytes that aren't UTF-8, so the command would use another file.
  package static func unreadable() -> String? {
    let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    for case let word? in words.dropFirst() {
      let name = FileName(bytes: Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
      if !name.isText { return name.description }
    }
    return nil
  }
}
