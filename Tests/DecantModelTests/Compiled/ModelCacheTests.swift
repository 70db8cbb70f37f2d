import DecantModel
import DecantTestSupport
import Foundation
import Testing

@Suite struct ModelCacheTests {
  private func failure(_ content: Data) -> String {
    do throws(ModelError) {
      _ = try ModelCache.read(content)
      return ""
    } catch {
      return error.description
    }
  }

  @Test func aDeflatedModelIsRead() throws {
    let model = try SampleModel.make()
    for form in [CompiledModelWriter.Form.cacheWithProxies, .cacheWithCopies] {
      let reading = try ModelCache.read(DeflateWriter.stored(CompiledModelWriter.data(model, as: form)))
      #expect(reading.model == model)
      #expect(reading.warnings.isEmpty)
    }
  }

  @Test func bytesBehindTheEndAreLeftAsideWithAWord() throws {
    let content = DeflateWriter.stored(CompiledModelWriter.data(try SampleModel.make()))
    let reading = try ModelCache.read(content + Data([1, 2, 3]))
    #expect(reading.warnings == ["3 bytes after the end of the model cache are ignored"])
  }

  @Test func whatIsNoCacheSaysWhy() throws {
    let model = CompiledModelWriter.data(try SampleModel.make())
    #expect(failure(Data()).contains("it is empty"))
    #expect(failure(model).contains("isn't a deflate stream"))
    #expect(failure(Data([0x78, 0x9c]) + DeflateWriter.stored(model)).contains("can't be used"))
    #expect(failure(Data(repeating: 0xff, count: 100)).contains("isn't a deflate stream"))
    #expect(failure(DeflateWriter.stored(Data("hello".utf8))).contains("a keyed archive"))
    #expect(failure(Data("x".utf8)).contains("(Z_MODELCACHE)"))
  }

  @Test func aCacheCutAnywhereIsRefused() throws {
    let content = DeflateWriter.stored(CompiledModelWriter.data(try SampleModel.make()))
    for length in 0..<content.count { #expect(!failure(content.prefix(length)).isEmpty) }
  }

  @Test func aSmallCacheThatStandsForAHugeOneIsRefused() {
    let bomb = DeflateWriter.zeros(count: 200 << 20)
    #expect(bomb.count < 2 << 20)
    #expect(failure(bomb).contains("inflates to more than 32 MB"))
  }
}
