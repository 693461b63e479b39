// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows of each house rule that it finds what it is for, says where, and lets its neighbours pass. */
class RulesCanFailTest {
    private static final String ENGINE = "core/engine/src/main/java/io/longhaul/engine/";
    private static final String ENGINE_TEST = "core/engine/src/test/java/io/longhaul/engine/";

    @Test
    void protocolDates() {
        var text = "class A {\n    String s = \"2025" + "-11-25\";\n}\n";
        assertFinds(TextRules::protocolDates, new TextFile(ENGINE + "A.java", text), 2, "protocol date 2025");
        assertPasses(
                TextRules::protocolDates,
                new TextFile("core/protocol/src/main/java/io/longhaul/protocol/dialect/v2025/A.java", text));
        assertPasses(TextRules::protocolDates, new TextFile(ENGINE_TEST + "A.java", text));
        var told = "/** Since 2025" + "-11-25. */\nclass A {\n    /**\n     * @since 2025" + "-11-25\n     */\n}\n";
        assertPasses(TextRules::protocolDates, new TextFile(ENGINE + "A.java", told));
    }

    @Test
    void pagesNameWhatThereIs() {
        var code = new TextFile(ENGINE + "ledger/Ledger.java", "final class Ledger {\n    void commit() {}\n}\n");
        var good = "`Ledger.commit`, `Ledger#commit`, `ledger/Ledger`, `tools/call`, `CallToolResult`, `Host`\n\n"
                + "`core/engine/src/main`, `core/engine/src/…/ledger`\n\n"
                + "```\n`NoSuchType`\n    participant Ledger\n```\n\n"
                + "| `core/engine`: `ledger` |";
        for (var rule : List.<Function<List<TextFile>, Stream<Finding>>>of(
                PageRules::types, PageRules::paths, PageRules::packages)) {
            assertThat(rule.apply(List.of(code, new TextFile("docs/ARCHITECTURE.md", good))))
                    .isEmpty();
        }
        assertNames(PageRules::types, code, "`LedgerOfOld`");
        assertNames(PageRules::types, code, "`Ledger.undo`");
        assertNames(PageRules::types, code, "`Ledger#undo`");
        var drawing = new TextFile("docs/A.md", "```mermaid\nsequenceDiagram\n    participant LedgerOfOld\n```\n");
        assertThat(PageRules.types(List.of(code, drawing))).hasSize(1);
        assertNames(PageRules::paths, code, "`core/engine/src/test`");
        assertNames(PageRules::paths, code, "`core/engine/…/transient`");
        assertNames(PageRules::paths, code, "`volatile/Ledger`");
        assertNames(PageRules::packages, code, "`core/engine`: `session`");
    }

    private static void assertNames(Function<List<TextFile>, Stream<Finding>> rule, TextFile code, String wrong) {
        var page = new TextFile("docs/ARCHITECTURE.md", "A page\n\n" + wrong + "\n");
        assertThat(rule.apply(List.of(code, page))).singleElement().satisfies(found -> {
            assertThat(found.line()).isEqualTo(3);
            assertThat(found.problem()).contains(wrong.replaceAll(".*: ", ""));
        });
    }

    @Test
    void fileSizes() {
        assertFinds(TextRules::fileSizes, new TextFile(ENGINE + "A.java", "\n".repeat(501)), 501, "501 lines");
        assertPasses(TextRules::fileSizes, new TextFile(ENGINE + "A.java", "\n".repeat(500)));
    }

    @Test
    void lineLengths() {
        var file = new TextFile(ENGINE + "A.java", "\n//" + "x".repeat(119) + "\n");
        assertFinds(TextRules::lineLengths, file, 2, "121 characters");
        assertPasses(TextRules::lineLengths, new TextFile(ENGINE + "A.java", "//" + "x".repeat(118)));
    }

    @Test
    void trailingSpace() {
        assertFinds(TextRules::trailingSpace, new TextFile("README.md", "a\nb \n"), 2, "space at the end");
    }

    @Test
    void licenses() {
        assertFinds(TextRules::licenses, new TextFile("a/src/main/java/A.java", "package a;\n"), 1, "license");
        var named = TextRules.LICENSE + "\npackage a;\n";
        assertPasses(TextRules::licenses, new TextFile("a/src/main/java/A.java", named));
    }

    @Test
    void registries() {
        var host = "registry.npmjs" + ".org";
        assertFinds(TextRules::registries, new TextFile("a/.npmrc", "\nhttps://" + host + "/"), 2, host);
        var lock = new TextFile("package-lock.json", "{\n\"resolved" + "\": \"https://example.com\"}");
        assertFinds(TextRules::registries, lock, 2, "lock file");
        assertPasses(TextRules::registries, new TextFile("README.md", "The promise is resolved."));
    }

    @Test
    void machinePaths() {
        assertFinds(TextRules::machinePaths, new TextFile("run", "cd /" + "work/main"), 1, "folder of one machine");
        assertPasses(TextRules::machinePaths, new TextFile("run", "cd at/work/main"));
    }

    @Test
    void nullMarked() {
        var type = new TextFile(ENGINE + "a/A.java", "package io.longhaul.engine.a;");
        assertFinds(TextRules::nullMarked, type, 1, "io.longhaul.engine.a has no package-info");
        var info = new TextFile(ENGINE + "a/package-info.java", "@NullMarked package io.longhaul.engine.a;");
        assertThat(TextRules.nullMarked(List.of(info, type))).isEmpty();
    }

    @Test
    void vagueNames() {
        assertFinds(TextRules::vagueNames, new TextFile(ENGINE + "util/A.java", ""), 1, "says nothing");
        assertFinds(TextRules::vagueNames, new TextFile(ENGINE + "JsonUtils.java", ""), 1, "says nothing");
        assertPasses(TextRules::vagueNames, new TextFile(ENGINE + "Utilization.java", ""));
    }

    @Test
    void commonNames() {
        var one = new TextFile(ENGINE + "durable/A.java", "");
        var two = new TextFile("core/schema/src/main/java/io/longhaul/schema/A.java", "");
        assertThat(TextRules.commonNames(List.of(one, two))).singleElement().satisfies(found -> {
            assertThat(found.path()).isEqualTo(two.path());
            assertThat(found.problem()).contains("A is the name of two types", "io.longhaul.engine.durable");
        });
        var test = new TextFile(ENGINE_TEST + "A.java", "");
        var example = new TextFile("examples/src/main/java/io/longhaul/examples/A.java", "");
        assertThat(TextRules.commonNames(List.of(one, test, example))).isEmpty();
        var info = new TextFile(ENGINE + "durable/package-info.java", "");
        assertThat(TextRules.commonNames(List.of(info, new TextFile(ENGINE + "package-info.java", ""))))
                .isEmpty();
    }

    @Test
    void methodSizes() {
        var method = "class A {\n    void long1() {\n" + "        x();\n".repeat(69) + "    }\n}\n";
        assertFinds(SyntaxRules::methodSizes, method, 2, "long1 has 71 lines");
        assertThat(find(SyntaxRules::methodSizes, ENGINE, method.replaceFirst(" {8}x\\(\\);\n", "")))
                .isEmpty();
    }

    @Test
    void parameters() {
        var seven = "(int a, int b, int c, int d, int e, int f, int g)";
        assertFinds(SyntaxRules::parameters, "class A {\n    void wide" + seven + " {}\n}", 2, "wide takes 7");
        assertFinds(SyntaxRules::parameters, "class A {\n    A" + seven + " {}\n}", 2, "constructor takes 7");
        assertFinds(SyntaxRules::parameters, "class B {}\nrecord A" + seven + " {}", 2, "A takes 7");
        var six = "record A(int a, int b, int c, int d, int e, int f) { static int g; static int h; }";
        assertThat(find(SyntaxRules::parameters, ENGINE, six)).isEmpty();
        assertThat(find(SyntaxRules::parameters, ENGINE, "@interface A { int a(); int b(); int c(); }"))
                .isEmpty();
    }

    @Test
    void clocksAndRandomness() {
        for (var use : List.of(
                "Instant.now()",
                "java.time.Instant.now()",
                "System.nanoTime()",
                "Clock.systemUTC()",
                "new Random()",
                "new java.security.SecureRandom()",
                "ThreadLocalRandom.current()",
                "UUID.randomUUID()",
                "(Supplier<Instant>) Instant::now")) {
            assertFinds(SyntaxRules::clocksAndRandomness, "class A {\n    Object o = " + use + ";\n}", 2, "is used");
        }
        var hidden = "\nimport static java.lang.System.nanoTime;\nclass A {}";
        assertFinds(SyntaxRules::clocksAndRandomness, hidden, 2, "System.nanoTime is used");
        var allowed = "import java.util.Random;\nclass A { Object o = clock.now(); }";
        assertThat(find(SyntaxRules::clocksAndRandomness, ENGINE, allowed)).isEmpty();
        assertThat(find(SyntaxRules::clocksAndRandomness, ENGINE_TEST, "class A { long a = System.nanoTime(); }"))
                .isEmpty();
    }

    @Test
    void sleepsInTests() {
        var sleeping = "class A {\n    void a() {\n        Thread.sleep(1);\n        SECONDS.sleep(1);\n    }\n}";
        assertThat(find(SyntaxRules::sleepsInTests, ENGINE_TEST, sleeping))
                .extracting(Finding::line)
                .containsExactly(3, 4);
        assertThat(find(SyntaxRules::sleepsInTests, ENGINE, sleeping)).isEmpty();
    }

    @Test
    void agentTests() {
        assertThat(find(SyntaxRules::agentTests, ENGINE_TEST, "class LedgerTest extends ThreadsContract {}"))
                .singleElement()
                .asString()
                .contains("LedgerTest loads an agent");
        assertThat(find(SyntaxRules::agentTests, ENGINE_TEST, "class LedgerThreadsTest extends ThreadsContract {}"))
                .isEmpty();
    }

    @Test
    void packages() {
        var moved = new TextFile(ENGINE + "A.java", "package io.longhaul.receiver; class A {}");
        assertThat(find(SyntaxRules::packages, moved))
                .singleElement()
                .asString()
                .contains("in another folder");
        var foreign =
                new TextFile("core/engine/src/main/java/io/longhaul/receiver/A.java", "package io.longhaul.receiver;");
        assertThat(find(SyntaxRules::packages, foreign))
                .singleElement()
                .asString()
                .contains("in module core/engine");
    }

    @Test
    void poms() {
        var dependency = "<dependency>\n<groupId>io.longhaul</groupId>\n<artifactId>longhaul-receiver</artifactId>\n";
        var pom = new TextFile("core/engine/pom.xml", dependency + "</dependency>");
        assertFinds(ModuleRules::poms, pom, 3, "engine may not depend on longhaul-receiver");
        assertPasses(ModuleRules::poms, new TextFile("core/engine/pom.xml", dependency + "<scope>test</scope>"));
        assertPasses(ModuleRules::poms, new TextFile("core/server/pom.xml", dependency + "</dependency>"));
        assertFinds(ModuleRules::unknownModules, new TextFile("pom.xml", "<module>x</module>"), 1, "module x");
    }

    @Test
    void compiledArrows(@TempDir Path folder) throws Exception {
        var classes = compile(
                folder,
                new TextFile("Up.java", "package io.longhaul.receiver; public class Up {}"),
                new TextFile("Bad.java", "package io.longhaul.engine; class Bad { io.longhaul.receiver.Up up; }"),
                new TextFile("Sql.java", "package io.longhaul.engine; class Sql { java.net.URI uri; }"),
                new TextFile("Go.java", "package io.longhaul.protocol; class Go { void go() { new Thread(); } }"));
        assertThatThrownBy(() -> ModuleRules.arrows("core/engine").check(classes))
                .hasMessageContaining("io.longhaul.engine.Bad.up")
                .hasMessageContaining("beyond the reach of core/engine");
        ModuleRules.arrows("core/receiver").check(classes);
        assertThatThrownBy(() -> ModuleRules.pureProtocol().check(classes)).hasMessageContaining("Go.java");
        assertThat(ModuleRules.forbiddenLibraries()
                        .map(rule -> rule.evaluate(classes).getFailureReport())
                        .flatMap(report -> report.getDetails().stream()))
                .singleElement()
                .asString()
                .contains("java.net.URI");
    }

    @Test
    void anotherWayToTheTerminal(@TempDir Path folder) throws Exception {
        var say = "package io.longhaul.cli; class %s { void say(%s) { %s; } }";
        var classes = compile(
                folder,
                new TextFile("Out.java", say.formatted("Out", "", "System.out.println()")),
                new TextFile("Err.java", say.formatted("Err", "", "Object o = System.err")),
                new TextFile("Given.java", say.formatted("Given", "java.io.PrintStream to", "to.print(1)")),
                new TextFile("Ask.java", say.formatted("Ask", "", "System.console().printf(\"\")")),
                new TextFile("Fine.java", say.formatted("Fine", "", "System.gc()")));
        assertFinds(Stream.of(ModuleRules.oneWayToTheTerminal()), classes, "Out", "Err", "Given", "Ask");
    }

    @Test
    void usedInternals(@TempDir Path folder) throws Exception {
        var inner = new TextFile("Inner.java", "package io.longhaul.server.internal.x; public class Inner {}");
        var uses = "package io.longhaul.%s; class %s { Object of = new io.longhaul.server.internal.x.Inner(); }";
        var classes = compile(
                folder,
                inner,
                new TextFile("Home.java", uses.formatted("server", "Home")),
                new TextFile("Guest.java", uses.formatted("cli", "Guest")));
        assertFinds(Stream.of(ModuleRules.internalsStayAtHome()), classes, "Guest");
    }

    @Test
    void circlesOfPackages(@TempDir Path folder) throws Exception {
        var room = "io.longhaul.server.internal.x.Room room;";
        var types = List.of(
                new TextFile(
                        "McpServerBuilder.java", "package io.longhaul.server; class McpServerBuilder { " + room + " }"),
                new TextFile(
                        "Room.java",
                        "package io.longhaul.server.internal.x; public class Room { io.longhaul.server.Value value; }"),
                new TextFile("Value.java", "package io.longhaul.server; public class Value {}"));
        ModuleRules.noCircles("core/server").check(compile(folder, types.toArray(TextFile[]::new)));
        var user = new TextFile("User.java", "package io.longhaul.server; class User { " + room + " }");
        var circle =
                compile(folder, Stream.concat(types.stream(), Stream.of(user)).toArray(TextFile[]::new));
        assertThatThrownBy(() -> ModuleRules.noCircles("core/server").check(circle))
                .hasMessageContaining("io.longhaul.server.User.room");
    }

    @Test
    void comparedRevisions(@TempDir Path folder) throws Exception {
        var generation = "io.longhaul.protocol.dialect.Generation";
        var asks = "package %s; class %s { boolean is(" + generation + " one) { return %s; } }";
        var named = "one == " + generation + ".NEXT";
        var words = "io.longhaul.protocol.dialect.words";
        var classes = compile(
                folder,
                new TextFile("Same.java", asks.formatted(words, "Same", named)),
                new TextFile("Order.java", asks.formatted(words, "Order", "one.compareTo(one) > 0")),
                new TextFile("Place.java", asks.formatted("io.longhaul.cli", "Place", "one.ordinal() > 1")),
                new TextFile(
                        "Case.java",
                        asks.formatted(
                                "io.longhaul.cli",
                                "Case",
                                "switch (one) {" + " case NEXT -> true; default -> false; }")),
                new TextFile("Own.java", asks.formatted("io.longhaul.protocol.dialect.operations", "Own", named)),
                new TextFile("Fine.java", asks.formatted(words, "Fine", "one.revision().capabilities().isEmpty()")));
        assertFinds(Stream.of(ModuleRules.revisionsAreAskedWhatTheyCan()), classes, "Same", "Order", "Place", "Case");
    }

    @Test
    void namedDialects(@TempDir Path folder) throws Exception {
        var dialect = "io.longhaul.protocol.dialect";
        var user = "package " + dialect + "%s; class %s { " + dialect + ".draft.Own own; }";
        var classes = compile(
                folder,
                new TextFile("Own.java", "package " + dialect + ".draft; public class Own { Own other; }"),
                new TextFile("Other.java", user.formatted(".other", "Other")),
                new TextFile("Base.java", user.formatted(".base", "Base")),
                new TextFile("Drafts.java", user.formatted("", "Drafts")),
                new TextFile("Ext.java", "package io.longhaul.receiver.ext.draft; public class Ext {}"),
                new TextFile(
                        "Core.java",
                        "package io.longhaul.receiver; class Core { io.longhaul.receiver.ext.draft.Ext ext; }"));
        assertFinds(ModuleRules.draftsAreListedOnly(classes), classes, "Other", "Base", "Core");
    }

    private static JavaClasses compile(Path folder, TextFile... files) throws Exception {
        var paths = Stream.of(files).map(file -> folder.resolve(file.path())).toList();
        for (var at = 0; at < files.length; at++) {
            Files.writeString(paths.get(at), files[at].text());
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        var manager = compiler.getStandardFileManager(null, null, null);
        var options = List.of("-proc:none", "-d", folder.toString());
        var units = manager.getJavaFileObjectsFromPaths(paths);
        assertThat(compiler.getTask(null, manager, null, options, null, units).call())
                .isTrue();
        return new ClassFileImporter().importPath(folder);
    }

    /** The rules find these classes, and let all others pass. */
    private static void assertFinds(Stream<? extends ArchRule> rules, JavaClasses classes, String... wrong) {
        assertThat(rules.flatMap(rule -> rule.evaluate(classes).getFailureReport().getDetails().stream())
                        .flatMap(line ->
                                Pattern.compile("(\\w+)\\.java").matcher(line).results())
                        .map(found -> found.group(1)))
                .containsOnly(wrong);
    }

    private static void assertFinds(
            Function<List<TextFile>, Stream<Finding>> rule, TextFile file, int line, String problem) {
        assertFound(rule.apply(List.of(file)).toList(), line, problem);
    }

    private static void assertPasses(Function<List<TextFile>, Stream<Finding>> rule, TextFile file) {
        assertThat(rule.apply(List.of(file))).isEmpty();
    }

    private static void assertFinds(Function<JavaSource, Stream<Finding>> rule, String text, int line, String problem) {
        assertFound(find(rule, ENGINE, text), line, problem);
    }

    private static void assertFound(List<Finding> found, int line, String problem) {
        assertThat(found).as(problem).hasSize(1);
        assertThat(found.getFirst().line()).isEqualTo(line);
        assertThat(found.getFirst().problem()).contains(problem);
        assertThat(found.getFirst().remedy()).isNotBlank();
    }

    private static List<Finding> find(Function<JavaSource, Stream<Finding>> rule, String folder, String text) {
        return find(rule, new TextFile(folder + "A.java", text));
    }

    private static List<Finding> find(Function<JavaSource, Stream<Finding>> rule, TextFile file) {
        return JavaSource.parse(List.of(file)).stream().flatMap(rule).toList();
    }
}
