import DecantModel
import DecantTestSupport
import Foundation
import PredicateFormat
import Testing

@testable import DecantPolicyPrograms

@Suite("Policy programs: the example in docs/policy-programs.md") struct ProgramPageTests {
  private static let program: String? = {
    let text = try? Repository.text("docs/policy-programs.md")
    return text?.components(separatedBy: "```python\n").dropFirst().first?.components(separatedBy: "```").first
  }()

  @Test(.enabled(if: ProgramWorkshop.python != nil, "python3 isn't installed"))
  func itMakesOneCategoryForEachName() throws {
    let folder = try TemporaryFolder("decant-program")
    try folder.write(try #require(Self.program), to: "policy.py")
    let text = """
      Nota
        texto String?
        categorias ->> Categoria.notas
      Categoria
        nombre String?
        notas ->> Nota.categorias
      """
    let file = try folder.write(ModelText(text).contents, to: "Two.xcdatamodel/contents")
    let model = try ModelBundle.read(at: file.deletingLastPathComponent()).currentVersion().model
    let program = PolicyProgram(words: ["python3", "policy.py"], folder: folder.url.path)
    try program.start(
      PolicyProgramHello(
        pass: "Step", entityMapping: "NotaToNota", source: nil, destination: "Nota", model: model))
    var answers: [PolicyProgramAnswer] = []
    for batch in [[(1, "a", "x"), (2, "b", nil)], [(3, "c", "x"), (4, nil, "y")]]
      as [[(Int64, String?, String?)]]
    {
      answers.append(
        try program.exchange(
          PolicyProgramBatch(
            source: batch.map { key, texto, categoria in
              PolicyProgramBatch.SourceObject(
                key: key, entity: "Nota",
                values: [
                  "texto": texto.map(Value.string) ?? .null, "categoria": categoria.map(Value.string) ?? .null,
                ], relationships: [:])
            })))
    }
    try program.finish()
    #expect(
      answers.map { $0.objects.map(\.entity) } == [
        ["Nota", "Categoria", "Nota"], ["Nota", "Nota", "Categoria"],
      ])
    #expect(answers[1].objects.map(\.values["nombre"]) == [nil, nil, .string("y")])
    #expect(
      answers.flatMap(\.links) == [
        .init(
          from: .source(1, mapping: nil), relationship: "categorias", to: .made("categoria 0"), line: 4),
        .init(
          from: .source(3, mapping: nil), relationship: "categorias", to: .made("categoria 0"), line: 8),
        .init(
          from: .source(4, mapping: nil), relationship: "categorias", to: .made("categoria 1"), line: 11),
      ])
  }
}
