// SPDX-License-Identifier: Apache-2.0
package io.longhaul.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.longhaul.cli.Cli;
import io.longhaul.cli.args.Arguments;
import io.longhaul.file.ServerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** Every listing of a page is good for what it is written for. */
class ListingsTest {

    private static final List<Listing> ALL = Listing.all();
    private static final List<String> SOURCES = Listing.sources();

    /** A listing in one of these is what a reader sees, and no input of anything. */
    private static final Set<String> SHOWN = Set.of("text", "mermaid");

    private static final Set<String> CHECKED = Set.of("java", "yaml", "sh", "xml", "json", "properties");
    /** Pages that another test makes, or types as a reader does. */
    private static final Set<String> HELD_ELSEWHERE = Set.of("docs/YAML.md", "docs/CLI.md", "docs/START.md");

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(longhaul-[a-z-]+)</artifactId>");

    /** The keys that a file of tools has beside its tools. */
    private static final String ONE_TOOL = "tools: {it: {command: [it]}}\n";

    static Stream<Listing> inLanguage(String language) {
        return ALL.stream()
                .filter(listing -> listing.language().equals(language))
                .filter(listing -> !HELD_ELSEWHERE.contains(listing.page()));
    }

    static Stream<Listing> java() {
        return inLanguage("java");
    }

    static Stream<Listing> yaml() {
        return inLanguage("yaml");
    }

    static Stream<Listing> sh() {
        return Stream.concat(inLanguage("sh"), Listing.inline().stream());
    }

    static Stream<Listing> xml() {
        return inLanguage("xml");
    }

    static Stream<Listing> json() {
        return inLanguage("json");
    }

    static Stream<Listing> properties() {
        return inLanguage("properties");
    }

    @Test
    void every_listing_names_its_language() {
        assertThat(ALL).hasSizeGreaterThan(40);
        assertThat(ALL.stream().filter(it -> !SHOWN.contains(it.language()) && !CHECKED.contains(it.language())))
                .isEmpty();
    }

    @Test
    void nothing_that_is_typed_hides_as_text() {
        var commands = Cli.lines().commands();
        assertThat(inLanguage("text")
                        .flatMap(listing -> CommandLine.of(listing.text()))
                        .filter(line -> line.isOurs() && line.words().size() > 1)
                        .filter(line -> commands.containsKey(line.words().get(1))))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void java(Listing listing) {
        var text = Listing.dense(listing.text());
        assertThat(SOURCES.stream().anyMatch(source -> source.contains(text)))
                .as("a source that is compiled has this listing, white space apart")
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource
    void yaml(Listing listing, @TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("keys.json"), "{\"keys\": []}");
        boolean isWhole = listing.text().lines().anyMatch(line -> line.equals("tools:"));
        var file =
                Files.writeString(folder.resolve("tools.yaml"), isWhole ? listing.text() : ONE_TOOL + listing.text());
        assertThatCode(() -> ServerFile.check(file, Map.of("OLD_ISSUER_SECRET", "secret")))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource
    void sh(Listing listing) {
        var commands = Cli.lines().commands();
        CommandLine.of(listing.text()).forEach(line -> {
            if (!line.isOurs()) {
                assertThat(line.name().contains("/") && !line.name().startsWith("/"))
                        .as("%s is no file of the project", line.name())
                        .matches(
                                isPath -> !isPath || Files.exists(Listing.root().resolve(line.name())));
                return;
            }
            var name = line.words().get(1);
            assertThat(commands).as("%s", line).containsKey(name);
            var options = commands.get(name).options();
            var rest = line.words().stream()
                    .skip(2)
                    .filter(word -> !word.equals("--help"))
                    .toList();
            assertThatCode(() -> Arguments.parse(rest, options)).as("%s", line).doesNotThrowAnyException();
        });
    }

    @ParameterizedTest
    @MethodSource
    void xml(Listing listing) throws IOException {
        var bom = Files.readString(Listing.root().resolve("release/bom/pom.xml"));
        assertThat(ARTIFACT.matcher(listing.text()).results())
                .isNotEmpty()
                .allMatch(artifact -> artifact.group(1).equals("longhaul-bom") || bom.contains(artifact.group()));
    }

    @ParameterizedTest
    @MethodSource
    void json(Listing listing) {
        assertThat(JsonMapper.shared().readTree(listing.text()).isContainer()).isTrue();
    }

    @ParameterizedTest
    @MethodSource
    void properties(Listing listing) throws IOException {
        var ours = Files.readString(
                Listing.root().resolve("apps/spring/src/main/resources/META-INF/spring-configuration-metadata.json"));
        assertThat(listing.text().lines().map(line -> line.split("=", 2)[0]).filter(key -> key.startsWith("longhaul.")))
                .isNotEmpty()
                .allMatch(key -> ours.contains("\"name\": \"" + key + "\""));
    }
}
