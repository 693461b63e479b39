// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.Case;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A task of any generation is its owner's in every other that has a word for it. */
class AcrossGenerationsTest {

    private static final List<Tongue> ALL = List.of(Tongue.values());

    @TestFactory
    Stream<DynamicTest> a_task_of_one_generation_through_another() {
        return ALL.stream()
                .flatMap(created -> ALL.stream()
                        .flatMap(through ->
                                truth(through).verbs().keySet().stream().map(verb -> test(created, through, verb))));
    }

    private static DynamicTest test(Tongue created, Tongue through, Verb verb) {
        return Case.named("created by " + created + ", " + verb + " by " + through, () -> {
            try (var crossing = new Crossing(created, through)) {
                crossing.run(verb);
            }
        });
    }

    @Test
    void the_page_shows_which_generation_has_which_verb() throws Exception {
        var page = new Page("docs/DIALECTS.md", "table of AcrossGenerationsTest");
        if (Page.REWRITE) {
            page.write(table());
        }
        assertThat(page.read()).isEqualTo(table());
    }

    private static String table() {
        var lines = new ArrayList<String>();
        lines.add(line("through", Arrays.stream(Verb.values()).map(Verb::toString)));
        lines.add("|---".repeat(Verb.values().length + 1) + "|");
        for (var through : ALL) {
            var verbs = truth(through).verbs();
            lines.add(line(
                    through.toString(),
                    Arrays.stream(Verb.values())
                            .map(verb -> verbs.containsKey(verb) ? "`" + verbs.get(verb) + "`" : "-")));
        }
        return String.join("\n", lines);
    }

    private static String line(String head, Stream<String> cells) {
        return "| " + head + " | " + cells.collect(Collectors.joining(" | ")) + " |";
    }

    private static Truth truth(Tongue tongue) {
        try (var place = new InProcess(new MemoryWay())) {
            return tongue.caller(place, "nobody").truth();
        }
    }
}
