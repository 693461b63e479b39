package io.longhaul.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void protocolDatesStayInDialects() {
        assertThat(TextRules.protocolDates(FILES)).isEmpty();
    }

    @Test
    void filesAreShort() {
        assertThat(TextRules.fileSizes(FILES)).isEmpty();
    }

    @Test
    void linesAreShort() {
        assertThat(TextRules.lineLengths(FILES)).isEmpty();
    }

    @Test
    void linesEndInNoSpace() {
        assertThat(TextRules.trailingSpace(FILES)).isEmpty();
    }

    @Test
    void noFileNamesRegistryHosts() {
        assertThat(TextRules.registries(FILES)).isEmpty();
    }

    @Test
    void noFileNamesFoldersOfOneMachine() {
        assertThat(TextRules.machinePaths(FILES)).isEmpty();
    }

    @Test
    void packagesAreNullMarked() {
        assertThat(TextRules.nullMarked(FILES)).isEmpty();
    }

    @Test
    void namesSaySomething() {
        assertThat(TextRules.vagueNames(FILES)).isEmpty();
    }

    @Test
    void pagesNameWhatThereIs() {
        assertThat(PageRules.types(FILES)).isEmpty();
        assertThat(PageRules.paths(FILES)).isEmpty();
        assertThat(PageRules.packages(FILES)).isEmpty();
    }

    @Test
    void methodsAreShort() {
        assertThat(each(SyntaxRules::methodSizes)).isEmpty();
    }

    @Test
    void parametersAreFew() {
        assertThat(each(SyntaxRules::parameters)).isEmpty();
    }

    @Test
    void clocksAndRandomnessAreInjected() {
        assertThat(each(SyntaxRules::clocksAndRandomness)).isEmpty();
    }

    @Test
    void testsDoNotSleep() {
        assertThat(each(SyntaxRules::sleepsInTests)).isEmpty();
    }

    @Test
    void packagesLieInTheirModules() {
        assertThat(each(SyntaxRules::packages)).isEmpty();
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
    void revisionsAreAskedWhatTheyCan() {
        ModuleRules.revisionsAreAskedWhatTheyCan().check(CLASSES);
    }

    @Test
    void draftsAreListedOnly() {
        ModuleRules.draftsAreListedOnly(CLASSES).forEach(rule -> rule.check(CLASSES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"receiver", "requestor"})
    void packagesFormNoCircleAndFitAHead(String module) {
        ModuleRules.noCircles(module).check(CLASSES);
        assertThat(ModuleRules.crowdedPackages(CLASSES, module)).isEmpty();
    }

    private static Stream<Finding> each(Function<JavaSource, Stream<Finding>> rule) {
        return SOURCES.stream().flatMap(rule);
    }
}
