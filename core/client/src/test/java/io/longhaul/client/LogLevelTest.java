// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.HANDSHAKE;
import static io.longhaul.client.Scripts.SECOND_SESSION;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.script;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which log messages a client asks for, and where they go. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class LogLevelTest {

    private final TestTime time = new TestTime();

    @Test
    void the_levels_are_those_of_the_protocol_least_first() {
        assertThat(LogLevel.values()).extracting(LogLevel::word).isEqualTo(Notice.Log.LEVELS);
    }

    @Test
    void a_session_is_told_the_level_and_so_is_each_one_that_replaces_it() throws Exception {
        var script = script(HANDSHAKE, """
                -> logging/setLevel {"level":"warning"}
                -h Mcp-Session-Id: one
                <- {}
                -> ping
                <= 404
                """, SECOND_SESSION, """
                -> ping
                -h Mcp-Session-Id: two
                <- {}
                -> logging/setLevel {"level":"warning"}
                -h Mcp-Session-Id: two
                <- {}
                """);
        try (var client = Scripts.over(script, time).connect()) {
            client.logLevel(LogLevel.WARNING);
            client.ping();
            while (script.count("{\"method\":\"logging/setLevel\"}") < 2) {
                Thread.yield();
            }
        }
    }

    @Test
    void each_call_of_2026_07_28_says_the_level_that_was_set_last() throws Exception {
        var level = "{\"_meta\":{\"io.modelcontextprotocol/logLevel\":\"%s\"}}";
        var script = script(
                STATELESS,
                TOOLS,
                "-> tools/call\n<- {\"content\":[]}",
                "-> tools/call " + level.formatted("debug") + "\n<- {\"content\":[]}",
                "-> resources/read " + level.formatted("error") + "\n<- {\"contents\":[]}",
                "-> prompts/get " + level.formatted("error") + "\n<- {\"messages\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            client.call("report", Scripts.NO_ARGUMENTS).await();
            client.logLevel(LogLevel.DEBUG);
            client.call("report", Scripts.NO_ARGUMENTS).await();
            client.logLevel(LogLevel.ERROR);
            client.resources().read("a:b");
            client.prompts().get("p", java.util.Map.of());
        }
        assertThat(script.count(level.formatted("debug").replaceFirst("^", "{\"params\":") + "}"))
                .isEqualTo(1);
    }

    @Test
    void log_messages_that_belong_to_no_call_are_told_until_the_listener_leaves() throws Exception {
        var script = script(HANDSHAKE.replace("<= 202", ""), """
                -> ping
                <~ {"method":"notifications/message","params":{"level":"info","logger":"db","data":{"a":1}}}
                <- {}
                -> ping
                <~ {"method":"notifications/message","params":{"level":"info","data":"unheard"}}
                <- {}
                """);
        var heard = new LinkedBlockingQueue<LogMessage>();
        try (var client = Scripts.over(script, time).connect()) {
            try (var listening = client.onLog(heard::add)) {
                client.ping();
            }
            client.ping();
        }
        assertThat(heard)
                .containsExactly(new LogMessage("info", "db", JsonTree.write(JsonTree.read(Json.raw("{\"a\":1}")))));
    }

    @Test
    void a_log_line_over_standard_output_is_of_the_only_call_under_way() throws Exception {
        var line = "<~ {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"%s\"}}\n";
        var script = script(
                Scripts.PLAIN,
                "-> ping\n" + line.formatted("of no call") + "<- {}",
                "-> tools/call\n.. {\"go\":true}\n" + line.formatted("of the call") + "<- {\"content\":[]}");
        var heard = new LinkedBlockingQueue<CallUpdate>();
        try (var client = Scripts.overStdio(script, time)
                .generation(Generation.V2025_06_18)
                .connect()) {
            client.ping();
            var call = client.call("report", Scripts.NO_ARGUMENTS);
            call.onUpdate(heard::add);
            script.go();
            call.await();
        }
        assertThat(heard)
                .filteredOn(CallUpdate.Log.class::isInstance)
                .containsExactly(new CallUpdate.Log("info", null, "\"of the call\""));
    }
}
