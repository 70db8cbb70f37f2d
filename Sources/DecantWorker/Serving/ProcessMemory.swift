internal import Foundation
internal import Glibc
internal import LineOutput

/// The resident memory of a process, from `/proc`.
package enum ProcessMemory {
  /// Resets this process's peak, if the kernel allows it.
  ///
  /// Otherwise the peak also covers the process's earlier jobs.
  package static func resetPeak() {
    let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    _ = DescriptorIO.write(Data("5".utf8), to: descriptor)
  }

  /// A field of `/proc/PID/status`.
  package enum Figure: String, Sendable {
    case peak = "VmHWM:"
    case now = "VmRSS:"
  }

  /// The peak or the current resident memory in bytes.
  ///
  /// `nil` if the field can't be read, for example because the process has ended.
  package static func bytes(_ figure: Figure = .peak, of process: String = "self") -> Int? {
    let descriptor = open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard case .bytes(let bytes) = DescriptorIO.read(descriptor) else { return nil }
    let data = Data(bytes)
    // The bytes are searched without making a text, because this runs for each store.
    guard let name = data.range(of: Data(figure.rawValue.utf8)) else { return nil }
    let digits = data[name.upperBound...].drop { $0 == 0x20 || $0 == 0x09 }.prefix {
      (0x30...0x39).contains($0)
    }
    guard let kibibytes = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    let (count, overflows) = kibibytes.multipliedReportingOverflow(by: 1024)
    return overflows ? nil : count
  }
}
