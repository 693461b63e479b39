// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.file.tree.FileSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of the fields is made of the schema; {@code -Dpages.rewrite=true} writes it. */
class YamlPageTest {
    private static final Path PAGE = Path.of("../../docs/YAML.md");
    private static final YamlPage MADE = new YamlPage(FileSchema.text());

    private static final String API = """
        openapi: 3.1.0
        servers: [{url: "https://api.example.com"}]
        components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
        paths:
          /pets: {get: {operationId: listPets}}
          /export: {post: {operationId: exportPets}}
          /pets/{id}:
            delete:
              operationId: deletePet
              parameters: [{name: id, in: path, required: true, schema: {type: string}}]
        """;

    @TempDir
    Path folder;

    @Test
    void the_page_is_what_the_schema_says() throws IOException {
        if (Boolean.getBoolean("pages.rewrite")) {
            Files.writeString(PAGE, MADE.text());
        }
        assertThat(Files.readString(PAGE))
                .as("run this test with -Dpages.rewrite=true")
                .isEqualTo(MADE.text());
    }

    @Test
    void each_field_has_an_example() {
        assertThat(MADE.examplesOfFields()).hasSizeGreaterThan(200).doesNotContainValue(0L);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void each_example_is_a_good_file(YamlPage.Example example) throws IOException {
        Files.writeString(folder.resolve("keys.json"), "{\"keys\": []}");
        Files.writeString(folder.resolve("key.pem"), "");
        Files.writeString(folder.resolve("api.yaml"), API);
        var file =
                Files.writeString(folder.resolve("tools.yaml"), example.file().toString());
        var checked = ServerFile.check(file, Map.of());
        assertThat(checked.file().tools()).isNotEmpty();
    }

    static Stream<YamlPage.Example> each_example_is_a_good_file() {
        return MADE.examples().stream();
    }
}
