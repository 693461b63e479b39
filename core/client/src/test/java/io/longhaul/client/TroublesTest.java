// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a client tells of a server that is away, while it tries again. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class TroublesTest {

    private static final String BROKEN = "-> tasks/get\n<x\n";
    private static final String DONE =
            "-> tasks/get\n<- " + task("completed", ",\"result\":{\"content\":[],\"isError\":false}");

    private final TestTime time = new TestTime(Duration.ofSeconds(30));
    private final List<String> told = new CopyOnWriteArrayList<>();

    private McpClient client(String conversation) {
        return Scripts.over(script(STATELESS, conversation), time)
                .onTrouble(told::add)
                .connect();
    }

    @Test
    void who_waits_for_the_result_of_a_task_is_told() throws Exception {
        try (var client = client(BROKEN + DONE)) {
            assertThat(client.tasks().result("t1")).isInstanceOf(CallOutcome.ToolResult.class);
        }
        assertThat(told).isNotEmpty();
    }

    @Test
    void a_server_that_stays_away_is_out_of_reach_for_who_waits_and_for_who_watches() {
        try (var client = client("->* tasks/get\n<0")) {
            assertThatThrownBy(() -> client.tasks().result("t1")).isInstanceOf(ServerUnreachableException.class);
            assertThatThrownBy(() -> client.tasks().watch("t1", task -> {}))
                    .isInstanceOf(ServerUnreachableException.class);
        }
    }

    @Test
    void who_watches_a_task_is_told() throws Exception {
        try (var client = client(BROKEN + DONE)) {
            client.tasks().watch("t1", task -> {});
        }
        assertThat(told).isNotEmpty();
    }

    @Test
    void who_reads_a_task_is_told() {
        try (var client = client(BROKEN + DONE)) {
            assertThat(client.tasks().get("t1").id()).isEqualTo("t1");
        }
        assertThat(told).isNotEmpty();
    }
}
