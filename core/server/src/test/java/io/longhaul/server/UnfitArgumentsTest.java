// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.server.annotation.McpParams;
import io.longhaul.server.annotation.McpTool;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Arguments that a schema lets through and a type does not: what the model is told of them. */
class UnfitArgumentsTest {

    record Trip(List<LocalDate> days, int number) {}

    record Even(int number) {
        Even {
            if (number < 0) {
                throw new IllegalStateException("internal");
            }
            if (number % 2 != 0) {
                throw new ToolException("the number must be even");
            }
        }
    }

    static class Trips {

        @McpTool
        String plan(@McpParams Trip trip) {
            return trip.toString();
        }

        @McpTool
        String plans(Map<String, List<Trip>> trips) {
            return trips.toString();
        }

        @McpTool
        String halve(Even even, RequestContext call) {
            return even.number() / 2 + " " + call.isCancelled();
        }
    }

    @AutoClose
    private final Served served = Served.with(Tool.allOf(new Trips()).toArray(Tool[]::new));

    @Test
    void what_is_wrong_is_told_with_its_place() {
        assertThat(said("plan", "{\"days\":[\"2026-01-01\",\"2026-13-01\"],\"number\":1}"))
                .isEqualTo("The arguments cannot be used: /days/1: it is no LocalDate");
        assertThat(said("plans", "{\"trips\":{\"a\":[{\"days\":[\"today\"],\"number\":1}]}}"))
                .isEqualTo("The argument 'trips' cannot be used: /a/0/days/0: it is no LocalDate");
        assertThat(said("plans", "{\"trips\":{\"a\":[{\"days\":[],\"number\":9999999999}]}}"))
                .isEqualTo(
                        "Invalid arguments for tool plans: /trips/a/0/number: must have a maximum value of 2147483647");
    }

    @Test
    void a_type_can_say_itself_what_is_wrong_and_nothing_else_is_told() {
        assertThat(said("halve", "{\"even\":{\"number\":4}}")).isEqualTo("2 false");
        assertThat(said("halve", "{\"even\":{\"number\":3}}"))
                .isEqualTo("The argument 'even' cannot be used: the number must be even");
        assertThat(said("halve", "{\"even\":{\"number\":-2}}"))
                .isEqualTo("The argument 'even' cannot be used: it is no Even");
    }

    private String said(String tool, String arguments) {
        return text(served.handshake("2025-11-25")
                .ask("tools/call", Served.call(tool, arguments))
                .path("result"));
    }
}
