import Glibc
import LineOutput
import Testing

@Suite("Output that never waits")
struct OutputTests {
  @Test("a pipe without a reader raises no signal")
  func brokenPipe() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let output = NonBlockingOutput(ends[1])
    close(ends[0])
    output.write("line\n")
    output.write("line\n")
    #expect(output.dropped == 2)
    close(ends[1])
  }

  @Test("lines that don't fit into the pipe are dropped and counted")
  func full() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let output = NonBlockingOutput(ends[1])
    let line = String(repeating: "x", count: 1000) + "\n"
    while output.dropped == 0 { output.write(line) }
    output.write(line)
    #expect(output.dropped == 2)
    close(ends[0])
    close(ends[1])
  }
}
