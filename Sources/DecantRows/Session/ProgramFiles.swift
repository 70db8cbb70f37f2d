internal import CLinux
package import DecantPasses
internal import Foundation

/// The files on which the results of a policy program depend.
package enum ProgramFiles {
  /// The command words of a plan's programs, and the path, size and modification time of every regular file in the
  /// family's folder.
  ///
  /// A program may import any of these files. A folder that can't be read counts as empty. If the plan has no program,
  /// the list is empty.
  package static func digestParts(of plan: PassPlan, in folder: String) -> [String] {
    let words = plan.mappings.flatMap { mapping -> [String] in
      if case .program(let words)? = mapping.mapping.policy { words } else { [] }
    }
    guard !words.isEmpty, let names = FileManager.default.enumerator(atPath: folder) else { return words }
    var files: [String] = []
    for case let name as String in names {
      var status = stat()
      guard stat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      files.append("\(name) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
    }
    return words + files.sorted()
  }
}
