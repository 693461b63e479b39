// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Java files look as the formatter would write them.
 *
 * <p>Checked here and not by Spotless: the formatter parses with the javac that it runs on, and Maven may run on one
 * too old for our sources, while tests always run on the JDK that the build selected. To rewrite: {@code .ci/format}.
 */
class FormatTest {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .formatJavadoc(false)
            .build());

    @Test
    void javaFilesAreFormatted() {
        assertThat(Project.files().parallelStream().filter(TextFile::isJava).flatMap(FormatTest::misformatted))
                .isEmpty();
    }

    @Test
    void findsTheFirstLineThatDiffers() {
        var file = new TextFile("A.java", "class A {\n    int  a;\n}\n");
        assertThat(misformatted(file)).extracting(Finding::line).isEqualTo(List.of(2));
        var unused = new TextFile("A.java", "import java.util.List;\n\nclass A {}\n");
        assertThat(misformatted(unused)).extracting(Finding::line).isEqualTo(List.of(1));
        assertThat(misformatted(new TextFile("A.java", "class A {}\n"))).isEmpty();
    }

    private static Stream<Finding> misformatted(TextFile file) {
        try {
            var formatted = format(file.text());
            if (formatted.equals(file.text())) {
                return Stream.empty();
            }
            var line = firstDifference(file.text(), formatted);
            return Stream.of(file.finding(line, "not formatted", "Run .ci/format"));
        } catch (FormatterException e) {
            return Stream.of(file.finding(1, "cannot be formatted: " + e.getMessage(), "Make it compile"));
        }
    }

    /** The steps of {@code .ci/format}, which leaves text blocks and long strings as they are. */
    private static String format(String source) throws FormatterException {
        var ordered = ImportOrderer.reorderImports(FORMATTER.formatSource(source), JavaFormatterOptions.Style.PALANTIR);
        return RemoveUnusedImports.removeUnusedImports(ordered);
    }

    private static int firstDifference(String before, String after) {
        var old = before.lines().toList();
        var now = after.lines().toList();
        var line = 0;
        while (line < old.size() && line < now.size() && old.get(line).equals(now.get(line))) {
            line++;
        }
        return line + 1;
    }
}
