// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.Scripts;
import io.longhaul.client.TestTime;
import io.longhaul.client.Transcript;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** When the tools of a server are read. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class ToolboxTest {

    @Test
    void tools_that_change_while_they_are_listed_are_read_anew_before_the_next_call() throws Exception {
        var script = Scripts.script(Scripts.HANDSHAKE, """
                -> tools/list
                <~ {"method":"notifications/tools/list_changed"}
                <- {"tools":[]}
                -> tools/list
                <- {"tools":[{"name":"greet","inputSchema":{"type":"object"}}]}
                -> tools/call
                <- {"content":[]}
                """);
        try (var client = Scripts.over(script, new TestTime()).connect()) {
            assertThat(client.tools()).isEmpty();
            assertThat(client.call("greet", Scripts.NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }
}
