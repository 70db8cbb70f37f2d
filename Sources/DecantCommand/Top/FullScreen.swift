internal import DecantConsole
internal import Foundation

/// The whole terminal as a screen, without echo; `end` gives the terminal back as it was.
final class FullScreen {
  private let channel: Channel
  /// The settings to restore; `nil` if standard input isn't a terminal.
  private var before: termios?
  private var isShown = false
  /// Whether the terminal can't be read or written any more.
  private(set) var isLost = false

  init(_ channel: Channel) { self.channel = channel }

  deinit { end() }

  func begin() {
    var settings = termios()
    if tcgetattr(STDIN_FILENO, &settings) == 0 {
      before = settings
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
      // Disable the keys for SIGTSTP and SIGQUIT: after these signals the screen would stay on the terminal.
      withUnsafeMutableBytes(of: &settings.c_cc) { keys in
        for key in [VSUSP, VQUIT] where Int(key) < keys.count { keys[Int(key)] = 0 }
      }
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    // The alternate screen keeps what was on the terminal. The cursor is hidden.
    write("\u{1b}[?1049h\u{1b}[?25l")
    isShown = true
  }

  func end() {
    if isShown { write("\u{1b}[?25h\u{1b}[?1049l") }
    isShown = false
    if var before { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
    before = nil
  }

  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (channel.width, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  func draw(_ lines: [TopLine], inColour: Bool) {
    let texts = lines.map { $0.bytes(inColour: inColour) + "\u{1b}[K" }
    write("\u{1b}[H" + texts.joined(separator: "\r\n") + "\u{1b}[J")
  }

  /// Waits for a key, a signal, or the time to pass, at most a second; `nil` if no key was pressed.
  func key(within seconds: Double) -> UInt8? {
    var slot = pollfd(fd: before == nil ? -1 : STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&slot, 1, Int32(max(0, min(seconds, 1)) * 1000 + 0.999)) > 0 else { return nil }
    var key: UInt8 = 0
    let count = read(STDIN_FILENO, &key, 1)
    if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { isLost = true }
    return count == 1 ? key : nil
  }

  private func write(_ text: String) {
    if channel.write(Array(text.utf8)) != 0 { isLost = true }
  }
}
