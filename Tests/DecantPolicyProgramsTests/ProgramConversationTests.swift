import Foundation
import PredicateFormat
import Testing

@testable import DecantPolicyPrograms

@Suite("Policy programs: the protocol") struct ProgramConversationTests {
  private let shop: ProgramWorkshop

  init() throws { shop = try ProgramWorkshop() }

  private static func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

  @Test func theHelloTellsEntitiesAndTypes() throws {
    let tag = PolicyProgramHello(
      pass: "Step", entityMapping: "New “tags”", source: nil, destination: "Tag", model: shop.model)
    #expect(
      Self.text(tag.line)
        == "{\"hello\":{\"protocol\":1,\"pass\":\"Step\",\"entityMapping\":\"New “tags”\",\"source\":null,"
        + "\"destination\":{\"entity\":\"Tag\",\"attributes\":{\"name\":\"String\"},"
        + "\"relationships\":{\"everythings\":{\"entity\":\"Everything\",\"toMany\":true}}}}}\n")
  }

  private static let values: [String: Value] = [
    "flag": .boolean(true), "small": .integer(-32768), "middle": .integer(2_147_483_647),
    "large": .integer(.max), "price": .decimal(Decimal(string: "12345678901234567890.10") ?? 0),
    "real": .double(0.1), "single": .double(-.infinity), "text": .string("a\"\\\n\u{0}\u{1}é💡\u{2028}"),
    "moment": .date(602_395_200.123_456_7), "bytes": .data(Data([0, 1, 255])),
    "identifier": .uuid(UUID(uuidString: "8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11") ?? UUID()),
    "link": .url("https://example.org/a"), "thing": .data(Data("x".utf8)),
  ]

  @Test func aBatchHasEveryTypeAsItIsWritten() {
    let batch = PolicyProgramBatch(source: [
      .init(
        key: .max, entity: "Everything", values: Self.values.merging(["nothing": .null]) { own, _ in own },
        relationships: ["tags": [3, 1], "next": []])
    ])
    #expect(
      Self.text(batch.line(number: 7))
        == "{\"batch\":7,\"source\":[{\"key\":9223372036854775807,\"entity\":\"Everything\",\"values\":{"
        + "\"bytes\":\"AAH/\",\"flag\":true,\"identifier\":\"8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11\","
        + "\"large\":9223372036854775807,\"link\":\"https://example.org/a\",\"middle\":2147483647,"
        + "\"moment\":602395200.1234567,\"nothing\":null,\"price\":\"12345678901234567890.1\",\"real\":0.1,"
        + "\"single\":\"-inf\",\"small\":-32768,\"text\":\"a\\\"\\\\\\n\\u0000\\u0001é💡\u{2028}\",\"thing\":\"eA==\"},"
        + "\"relationships\":{\"next\":[],\"tags\":[3,1]}}]}\n")
  }

  private static let echo = """
    import json, sys

    def say(line):
        print(json.dumps(line), flush=True)

    hello = json.loads(sys.stdin.readline())["hello"]
    assert hello["source"]["attributes"]["price"] == "Decimal", hello
    say({"hello": {"protocol": hello["protocol"]}})
    names = {}
    for line in sys.stdin:
        message = json.loads(line)
        if "end" in message:
            break
        for thing in message["source"]:
            values = dict(thing["values"])
            say({"source": thing["key"], "id": "t%d" % thing["key"], "entity": "Everything", "values": values})
            name = thing["values"]["text"]
            if name not in names:
                names[name] = "tag%d" % len(names)
                say({"id": names[name], "entity": "Tag", "values": {"name": name}})
            say({"from": {"id": "t%d" % thing["key"]}, "relationship": "tags", "to": {"id": names[name]}})
            for key in thing["relationships"].get("next", []):
                say({"from": {"source": thing["key"]}, "relationship": "next",
                     "to": {"source": key, "mapping": "EverythingToEverything"}})
        say({"end": message["batch"]})
    """

  @Test(.enabled(if: ProgramWorkshop.python != nil, "python3 isn't installed"))
  func everyTypeSurvivesTheWayThroughAPythonProgram() throws {
    try shop.folder.write(Self.echo, to: "policy.py")
    let program = PolicyProgram(words: ["python3", "policy.py"], folder: shop.folder.url.path)
    try program.check()
    try program.start(shop.hello)
    let nothing = Self.values.mapValues { _ in Value.null }
    let first = try program.exchange(
      PolicyProgramBatch(source: [
        .init(key: 1, entity: "Everything", values: Self.values, relationships: ["next": [2]]),
        .init(key: 2, entity: "Everything", values: nothing, relationships: [:]),
      ]))
    let text = try #require(Self.values["text"])
    #expect(
      first.objects == [
        .init(id: "t1", source: 1, entity: "Everything", values: Self.values, line: 2),
        .init(id: "tag0", source: nil, entity: "Tag", values: ["name": text], line: 3),
        .init(id: "t2", source: 2, entity: "Everything", values: nothing, line: 6),
        .init(id: "tag1", source: nil, entity: "Tag", values: ["name": .null], line: 7),
      ])
    #expect(
      first.links == [
        .init(from: .made("t1"), relationship: "tags", to: .made("tag0"), line: 4),
        .init(
          from: .source(1, mapping: nil), relationship: "next",
          to: .source(2, mapping: "EverythingToEverything"), line: 5),
        .init(from: .made("t2"), relationship: "tags", to: .made("tag1"), line: 8),
      ])
    // The program still knows its objects in the second batch.
    let second = try program.exchange(
      PolicyProgramBatch(source: [.init(key: 3, entity: "Everything", values: Self.values, relationships: [:])])
    )
    #expect(second.objects.count == 1 && second.links.first?.to == .made("tag0"))
    try program.finish()
  }

  @Test func aLargeBatchAndALargeAnswerDoNotWaitForEachOther() throws {
    let program = try shop.shell(
      """
      dd bs=1 count=1 > /dev/null 2>&1
      i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo '{"entity": "Tag", "values": {"name": "'"$i"'"}}'; done
      i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo 'much to say about nothing, over and over again' >&2; done
      read -r batch; echo '{"end": 1}'; read -r end
      """)
    let answer = try shop.run(program, batch: ProgramWorkshop.batch(300, textBytes: 3000))
    #expect(answer.objects.count == 2000 && answer.objects.last?.values == ["name": .string("2000")])
  }

  @Test func aProgramRunsInTheFamilysFolderWithASmallEnvironment() throws {
    let program = try shop.shell(
      """
      read -r batch
      echo "{\\"entity\\": \\"Tag\\", \\"values\\": {\\"name\\": \\"$(pwd -P) $TZ $LC_ALL $PYTHONHASHSEED $DECANT_PROTOCOL\\"}}"
      echo "{\\"entity\\": \\"Tag\\", \\"values\\": {\\"name\\": \\"$(env | cut -d= -f1 | sort | tr '\\n' ' ')\\"}}"
      echo "{\\"entity\\": \\"Tag\\", \\"values\\": {\\"name\\": \\"$(ls /proc/self/fd | wc -l)\\"}}"
      echo '{"end": 1}'; read -r end
      """)
    let answer = try shop.run(program)
    let names = answer.objects.map { object in
      if case .string(let name)? = object.values["name"] { name } else { "" }
    }
    #expect(names.first == "\(shop.folder.url.resolvingSymlinksInPath().path) UTC C.UTF-8 0 1")
    let variables = Set(try #require(names.dropFirst().first).split(separator: " ").map(String.init))
    #expect(
      variables.isSubset(of: [
        "DECANT_PROTOCOL", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "OLDPWD", "PATH", "PWD",
        "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "SHLVL", "TMPDIR", "TZ", "_",
      ]))
    // Four descriptors: standard input, output and error, and the folder that “ls” reads.
    #expect(names.last == "4")
  }

  @Test func aProgramThatHasEndedTakesNothingMore() throws {
    let program = try shop.shell("read -r batch; echo '{\"end\": 1}'; read -r end")
    #expect(try shop.run(program) == PolicyProgramAnswer())
    let reasons = [
      #expect(throws: PolicyProgramError.self) { _ = try program.exchange(ProgramWorkshop.batch()) },
      #expect(throws: PolicyProgramError.self) { try program.start(shop.hello) },
      #expect(throws: PolicyProgramError.self) { try program.finish() },
    ].map { $0?.reason }
    #expect(reasons == [.notRunning, .notRunning, .notRunning])
  }
}
