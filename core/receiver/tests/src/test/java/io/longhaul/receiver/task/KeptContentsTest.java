// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contents that a result keeps beside what clients are sent. */
@Timeout(60)
class KeptContentsTest {

    private static final String META = "\"_meta\":{\"a\":1,\"io.longhaul/kept\":[{\"uri\":\"%s\",\"text\":\"whole\"}]}";

    @AutoClose
    private final Served served = Served.with(Tool.define("makes")
            .longRunning()
            .backend(run -> new Outcome.Result(
                    Payload.ofText("{\"content\":[{\"type\":\"text\",\"text\":\"ends\"}],"
                            + META.formatted(uri(run.id().value())) + "}"),
                    false)));

    private static String uri(String task) {
        return "longhaul://tasks/" + task + "/result";
    }

    @Test
    void they_are_read_as_resources_by_the_owner_alone_and_never_sent_with_the_result() {
        var session = served.handshake("2025-11-25", Served.ALICE);
        var task = session.task("makes");
        session.await(task, "completed");
        var result =
                session.ask("tasks/result", "{\"taskId\":\"" + task + "\"}").path("result");
        assertThat(result.at("/content/0/text").asString()).isEqualTo("ends");
        assertThat(result.path("_meta").propertyNames()).contains("a").doesNotContain("io.longhaul/kept");
        var params = "{\"uri\":\"" + uri(task) + "\"}";
        assertThat(session.ask("resources/read", params)
                        .at("/result/contents/0/text")
                        .asString())
                .isEqualTo("whole");
        var other = served.handshake("2025-11-25", Served.BOB);
        assertThat(other.ask("resources/read", params)
                        .path("error")
                        .path("message")
                        .asString())
                .isEqualTo("Resource not found");
        assertThat(session.ask("resources/read", params.replace("/result", "/else"))
                        .has("error"))
                .isTrue();
    }
}
