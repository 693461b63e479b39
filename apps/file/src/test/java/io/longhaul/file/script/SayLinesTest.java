// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.schema.SchemaCheck;
import io.longhaul.schema.SchemaCheck.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** {@code say.schema.json} takes each line of {@code good.jsonl}, and none of {@code bad.jsonl}. */
class SayLinesTest {
    private static final SchemaCheck SCHEMA = SchemaCheck.of(text("say.schema.json"));

    static List<String> good() {
        return text("good.jsonl").lines().toList();
    }

    static List<String> bad() {
        return text("bad.jsonl").lines().toList();
    }

    @ParameterizedTest
    @MethodSource
    void good(String line) {
        assertThat(problem(line)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void bad(String line) {
        assertThat(problem(line)).isNotEmpty();
    }

    /** What is wrong with a line; nothing where it is right. */
    static Stream<String> problem(String line) {
        try {
            return switch (SCHEMA.verdict(JsonMapper.shared().readTree(line))) {
                case Verdict.Fits() -> Stream.of();
                case Verdict.Breaks(var problem) -> Stream.of(problem);
                case Verdict.GivenUp() -> throw new IllegalStateException("the check of " + line + " was given up");
            };
        } catch (JacksonException e) {
            return Stream.of("no JSON");
        }
    }

    static String text(String name) {
        try (var in = SayLinesTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }
}
