import DecantTestSupport
import Foundation

/// A page with commands and their expected output, such as those in docs/examples.
///
/// In `console` blocks, a line that begins with `$ ` is a command. It continues while its lines end with a backslash.
/// Then follows its output on standard output and standard error. In the output a line `…` stands for any number of
/// lines, and `…` within a line stands for any text.
struct ExamplePage {
  struct Command: Equatable {
    var line: Int
    var text: String
    var output: [String] = []
  }

  let name: String
  /// The page's path in the repository.
  let path: String
  let text: String
  private(set) var commands: [Command] = []

  init(_ name: String, in folder: String = "docs/examples") throws {
    let path = "\(folder)/\(name).md"
    let text = try Repository.text(path)
    self.init(name, path: path, text: text)
  }

  init(_ name: String, path: String, text: String) {
    self.name = name
    self.path = path
    self.text = text
    var isConsole = false
    var isContinued = false
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```") {
        isConsole = line == "```console"
        isContinued = false
      } else if isConsole, isContinued {
        commands[commands.count - 1].text += "\n" + line
        isContinued = line.hasSuffix("\\")
      } else if isConsole, line.hasPrefix("$ ") {
        commands.append(Command(line: index + 1, text: String(line.dropFirst(2))))
        isContinued = line.hasSuffix("\\")
      } else if isConsole, !commands.isEmpty {
        commands[commands.count - 1].output.append(line)
      }
    }
  }
}
