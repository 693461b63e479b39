package io.longhaul.transport.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The example of docs/SERVLET.md is the source of {@link McpListener}. */
class ServletPageTest {

    @Test
    void the_example_of_the_page_is_compiled() throws Exception {
        var module = Path.of("").toAbsolutePath();
        var page = Files.readString(module.resolveSibling("docs/SERVLET.md"));
        var from = page.indexOf("```java\n") + "```java\n".length();
        var example = page.substring(from, page.indexOf("```", from));
        assertThat(Files.readString(module.resolve("src/test/java/io/longhaul/transport/servlet/McpListener.java")))
                .endsWith(example);
    }
}
