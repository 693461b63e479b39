// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.server.McpServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import tools.jackson.databind.json.JsonMapper;

/** The examples and the table of docs/SPRING.md. */
class SpringPageTest {

    private static final Path MODULE = Path.of("").toAbsolutePath();

    private static String page() throws Exception {
        return Files.readString(MODULE.resolve("../../docs/SPRING.md"));
    }

    @Test
    void the_examples_of_the_page_serve(@TempDir Path folder) {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LonghaulAutoConfiguration.class))
                .withPropertyValues("longhaul.store.path=" + folder.resolve("tasks.db"))
                .withBean(Warehouse.class, () -> quarter -> "rows of " + quarter)
                .withUserConfiguration(Reports.class, Limits.class)
                .run(context -> assertThat(context.getBean(McpServer.class).hasTool("report"))
                        .isTrue());
    }

    @Test
    void the_table_of_the_page_has_each_property_and_no_other() throws Exception {
        var metadata = JsonMapper.shared()
                .readTree(Files.readString(
                        MODULE.resolve("src/main/resources/META-INF/spring-configuration-metadata.json")));
        var told = Pattern.compile("(?m)^\\| `(longhaul[a-z.-]+)`")
                .matcher(page())
                .results()
                .map((MatchResult row) -> row.group(1))
                .toArray(String[]::new);
        assertThat(metadata.path("properties").findValuesAsString("name")).containsExactly(told);
        assertThat(Arrays.asList(told)).doesNotHaveDuplicates();
    }
}
