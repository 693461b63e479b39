// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A caller cannot make the patterns of a tool's schema work for long. */
@Timeout(30)
class PatternsTest {

    /** Written as in JSON; the JDK tames simpler ones by itself. */
    private static final String EXPONENTIAL = "^(a+)+\\\\1z$";

    private static final String SCHEMA = """
            {"type": "object",
             "properties": {
               "slow": {"type": "string", "pattern": "%s"},
               "many": {"type": "array", "items": {"type": "string", "pattern": "%s"}},
               "deep": {"type": "string", "pattern": "^(a|b)*c$"},
               "long": {"type": "string", "pattern": "^[a-z ]*\\\\p{L}$"}},
             "patternProperties": {"%s": {"type": "integer"}}}
            """.replace("%s", EXPONENTIAL);

    private final Tool tool = Tool.define("match").inputSchema(SCHEMA).handler((arguments, task) -> "it fits");

    @AutoClose
    private final Served served = Served.with(tool);

    @Test
    void a_text_made_for_a_pattern_that_blows_up_is_refused_and_a_good_one_taken() {
        assertThat(said("{\"slow\":\"" + "a".repeat(60) + "!\"}")).contains("too many steps");
        assertThat(said("{\"" + "a".repeat(60) + "!\":1}")).contains("too many steps");
        assertThat(said("{\"slow\":\"" + "a".repeat(60) + "z\"}")).isEqualTo("it fits");
        assertThat(said("{\"slow\":\"b\"}")).contains("/slow").contains("does not match");
    }

    @Test
    void the_many_texts_of_one_call_share_their_steps() {
        String costly = "\"" + "a".repeat(16) + "!\"";
        assertThat(said("{\"many\":[" + costly + "]}")).contains("does not match");
        String many = String.join(",", Collections.nCopies(5, costly));
        assertThat(said("{\"many\":[" + many + "]}")).contains("too many steps");
    }

    @Test
    void a_text_that_needs_too_deep_a_stack_is_refused() {
        assertThat(said("{\"deep\":\"" + "ab".repeat(500_000) + "c\"}")).contains("too many steps");
    }

    @Test
    void a_long_text_for_a_simple_pattern_is_taken() {
        assertThat(said("{\"long\":\"" + "word ".repeat(600_000) + "word\"}")).isEqualTo("it fits");
    }

    private String said(String arguments) {
        JsonNode reply = served.stateless("{}").ask("tools/call", Served.call("match", arguments));
        return text(reply.path("result"));
    }
}
