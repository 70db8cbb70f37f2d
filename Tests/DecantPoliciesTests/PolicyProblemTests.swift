import Testing

@testable import DecantPolicies

@Suite("Problems of policies") struct PolicyProblemTests {
  @Test("an error about an unknown property names the entity, a similar name and the existing properties")
  func unknownKey() {
    let known = ["horas", "nombre"]
    #expect(
      PolicyProblem.unknownKey(entity: "Tarea", side: "source", key: "hora", known: known).description
        == "the source entity “Tarea” has no property “hora”; perhaps “horas” is meant. Its properties are: horas, nombre"
    )
    #expect(
      PolicyProblem.unknownKey(entity: "Tarea", side: nil, key: "minutos", known: known).description
        == "entity “Tarea” has no property “minutos”. Its properties are: horas, nombre")
    let many = (1...14).map { "a\($0)" }
    #expect(
      PolicyProblem.unknownKey(entity: "Tarea", side: nil, key: "zzzzzz", known: many).description
        .hasSuffix("a11, a12 and 2 more"))
  }
}
