internal import DecantModel
internal import Foundation
internal import Glibc

/// Checks the beginning of a program's file, because a script with a wrong first line can't be started.
enum ProgramHead {
  /// The kernel reads no more of a first line (execve(2)).
  private static let longest = 256

  /// A file that can't be read isn't refused here.
  static func check(_ path: String) throws(PolicyProgramError.Reason) {
    guard let bytes = bytes(of: path), !bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else { return }
    guard bytes.starts(with: Array("#!".utf8)) else {
      // A binary file in another format may have a handler on this machine, so it isn't refused.
      guard !bytes.contains(0) else { return }
      throw .badHead(path: path, problem: "isn't a “#!” line, such as “#!/usr/bin/env python3”")
    }
    let line = bytes.dropFirst(2).prefix { $0 != 0x0a }
    guard line.last != 0x0d else {
      throw .badHead(path: path, problem: "ends with a carriage return: save the file with line ends of Unix")
    }
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\t" }).map(
      String.init)
    guard let first = words.first else { throw .badHead(path: path, problem: "names no program") }
    guard ProgramPath.isFile(first), access(first, X_OK) == 0 else {
      throw .badHead(path: path, problem: "names “\(first)”, which isn't there or can't be run")
    }
    guard first.hasSuffix("/env"),
      let wanted = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") }),
      !wanted.contains("/"), (try? ProgramPath.found(wanted)) == nil
    else { return }
    throw .badHead(path: path, problem: "asks for “\(wanted)”, which isn't in \(ProgramPath.searchPath)")
  }

  private static func bytes(of path: String) -> [UInt8]? {
    let descriptor = DiskRead.openFile(path)
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return (try? file.read(upToCount: longest)).map { [UInt8]($0) }
  }
}
