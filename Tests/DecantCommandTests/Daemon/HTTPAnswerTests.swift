import Foundation
import Testing

@testable import DecantCommand

@Suite("Answers of the health socket")
struct HTTPAnswerTests {
  private func answer(_ text: String) throws(HTTPAnswer.Fault) -> HTTPAnswer {
    try HTTPAnswer(Array(text.utf8))
  }

  @Test("code and body are read, with or without a length")
  func whole() throws {
    let read = try answer("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 3\r\n\r\nno\n")
    #expect(read.code == 503 && read.body == Array("no\n".utf8))
    #expect(try answer("HTTP/1.0 200 OK\r\n\r\nyes").body == Array("yes".utf8))
  }

  @Test(
    "an incomplete answer has the fault “cut”",
    arguments: ["", "HTT", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-LENGTH: 4\r\n\r\nyes"])
  func cut(text: String) { #expect(throws: HTTPAnswer.Fault.cut) { try answer(text) } }

  @Test(
    "other data has the fault “nonsense”",
    arguments: [
      "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
      "HTTP/1.1 200 OK\r\nx\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nyes",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ])
  func nonsense(text: String) { #expect(throws: HTTPAnswer.Fault.nonsense) { try answer(text) } }
}
