// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The house rules, over every file of the project. That each rule can fail is shown by {@link RulesCanFailTest}. */
class TidyTest {
    private static final List<TextFile> FILES = Project.files();
    private static final List<JavaSource> SOURCES = JavaSource.parse(FILES);
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.longhaul");

    @Test
    void allModulesAreSeen() {
        assertThat(SOURCES.stream().map(source -> source.file().module())).containsAll(Modules.ARROWS.keySet());
        assertThat(Modules.ROOT_PACKAGE.keySet()).isEqualTo(Modules.ARROWS.keySet());
    }

    @TestFactory
    Stream<DynamicTest> filesKeepTheRules() {
        return Stream.of(
                rule("protocol dates stay in dialects", TextRules::protocolDates),
                rule("files are short", TextRules::fileSizes),
                rule("lines are short", TextRules::lineLengths),
                rule("lines end in no space", TextRules::trailingSpace),
                rule("sources name their license", TextRules::licenses),
                rule("no file names registry hosts", TextRules::registries),
                rule("no file names folders of one machine", TextRules::machinePaths),
                rule("packages are null-marked", TextRules::nullMarked),
                rule("names say something", TextRules::vagueNames),
                rule("one name stands for one type", TextRules::commonNames),
                rule("methods are short", each(SyntaxRules::methodSizes)),
                rule("parameters are few", each(SyntaxRules::parameters)),
                rule("clocks and randomness are injected", each(SyntaxRules::clocksAndRandomness)),
                rule("tests do not sleep", each(SyntaxRules::sleepsInTests)),
                rule("tests that load an agent are named so", each(SyntaxRules::agentTests)),
                rule("packages lie in their modules", each(SyntaxRules::packages)));
    }

    private static DynamicTest rule(String name, Function<List<TextFile>, Stream<Finding>> rule) {
        return DynamicTest.dynamicTest(name, () -> assertThat(rule.apply(FILES)).isEmpty());
    }

    private static Function<List<TextFile>, Stream<Finding>> each(Function<JavaSource, Stream<Finding>> rule) {
        return files -> SOURCES.stream().flatMap(rule);
    }

    @Test
    void pagesNameWhatThereIs() {
        assertThat(PageRules.types(FILES)).isEmpty();
        assertThat(PageRules.paths(FILES)).isEmpty();
        assertThat(PageRules.packages(FILES)).isEmpty();
    }

    @Test
    void pomsFollowTheArrows() {
        assertThat(ModuleRules.poms(FILES)).isEmpty();
        assertThat(ModuleRules.unknownModules(FILES)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void classesFollowTheArrows(String module) {
        ModuleRules.arrows(module).check(CLASSES);
    }

    static Stream<String> classesFollowTheArrows() {
        return Modules.ARROWS.keySet().stream().sorted();
    }

    @Test
    void coreIsFreeOfForeignLibraries() {
        ModuleRules.forbiddenLibraries().forEach(rule -> rule.check(CLASSES));
        ModuleRules.pureProtocol().check(CLASSES);
    }

    @Test
    void thereIsOneWayToTheTerminal() {
        ModuleRules.oneWayToTheTerminal().check(CLASSES);
    }

    @Test
    void internalsStayAtHome() {
        ModuleRules.internalsStayAtHome().check(CLASSES);
    }

    @Test
    void revisionsAreAskedWhatTheyCan() {
        ModuleRules.revisionsAreAskedWhatTheyCan().check(CLASSES);
    }

    @Test
    void callsAreDecidedOnce() {
        ModuleRules.callsAreDecidedOnce().check(CLASSES);
    }

    @Test
    void draftsAreListedOnly() {
        ModuleRules.draftsAreListedOnly(CLASSES).forEach(rule -> rule.check(CLASSES));
    }

    @ParameterizedTest
    @MethodSource("classesFollowTheArrows")
    void packagesFitAHead(String module) {
        assertThat(ModuleRules.crowdedPackages(CLASSES, module)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void packagesFormNoCircle(String module) {
        ModuleRules.noCircles(module).check(CLASSES);
    }

    /** All but the protocol, whose lists of dialects and whose dialects know each other. */
    static Stream<String> packagesFormNoCircle() {
        return classesFollowTheArrows().filter(module -> !module.equals("core/protocol"));
    }
}
