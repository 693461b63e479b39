package io.longhaul.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GuaranteesTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    @Test
    void every_test_that_the_page_of_guarantees_names_exists() throws Exception {
        var page = Files.readString(Path.of("..", "docs", "GUARANTEES.md"));
        List<MatchResult> named = TEST.matcher(page).results().toList();
        assertThat(named).isNotEmpty();
        for (MatchResult test : named) {
            var type = Class.forName(getClass().getPackageName() + "." + test.group(1));
            assertThat(Arrays.stream(type.getDeclaredMethods()).map(method -> method.getName()))
                    .as(test.group(1))
                    .contains(test.group(2));
        }
    }
}
