package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A handler knows the trace that its call belongs to. */
class TraceTest {

    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    private static final String META =
            "\"_meta\":{\"traceparent\":\"" + PARENT + "\",\"tracestate\":\"a=1\",\"baggage\":\"user=7\"}";

    private final Served served = Served.with(
            server -> server.prompt(Prompt.define("p")
                            .handler((none, call) -> List.of(PromptMessage.user(String.valueOf(call.trace())))))
                    .resource(Resource.define("r://r").handler((request, call) -> String.valueOf(call.trace()))),
            Tool.define("quick").description("Quick").handler((none, task) -> String.valueOf(task.trace())),
            Tool.define("slow")
                    .description("Slow")
                    .longRunning()
                    .handler((none, task) -> String.valueOf(task.trace())));

    @AfterEach
    void close() {
        served.close();
    }

    @Test
    void every_kind_of_handler_gets_it_in_both_eras() {
        for (String[] call : new String[][] {
            {"tools/call", "{\"name\":\"quick\"," + META + "}"},
            {"tools/call", "{\"name\":\"slow\"," + META + "}"},
            {"prompts/get", "{\"name\":\"p\"," + META + "}"},
            {"resources/read", "{\"uri\":\"r://r\"," + META + "}"}
        }) {
            assertThat(served.handshake("2025-11-25").ask(call[0], call[1]).toString())
                    .as(call[1])
                    .contains(PARENT, "a=1", "user=7");
            assertThat(served.stateless("{}").ask(call[0], call[1]).toString())
                    .as(call[1])
                    .contains(PARENT, "a=1", "user=7");
        }
    }

    @Test
    void a_call_without_a_trace_has_none() {
        assertThat(served.stateless("{}")
                        .ask("tools/call", Served.call("quick", "{}"))
                        .toString())
                .contains("parent=null");
    }
}
