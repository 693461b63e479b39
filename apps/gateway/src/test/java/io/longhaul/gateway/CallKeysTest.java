// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gateway.call.LongTool;
import io.longhaul.gateway.link.Link;
import io.longhaul.gateway.link.RunHandles;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The creation keys of the calls at a server behind a gateway. */
@Timeout(120)
class CallKeysTest {

    private static final String WITH_KEYS = "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{},"
            + "\"experimental\":{\"io.longhaul/creation-key\":{}}},"
            + "\"serverInfo\":{\"name\":\"foreign\",\"version\":\"1\"}}";

    private final GatewayRun run = new GatewayRun();
    private final String id = run.id().value();
    private ForeignServer foreign;
    private Link link;
    private LongTool tool;

    @BeforeEach
    void start() throws Exception {
        foreign = new ForeignServer(Map.of("initialize", asked -> WITH_KEYS));
        foreign.open();
        var upstream = Upstream.at("bank", foreign.address()).longTools("store");
        link = new Link(upstream.server, listing -> {});
        link.start();
        link.awaitLook(Duration.ofMinutes(1));
        tool = new LongTool(Map.of("bank", link), upstream.server, "store", false, new ConcurrentHashMap<>());
    }

    @AfterEach
    void stop() throws Exception {
        link.close();
        foreign.close();
    }

    @Test
    void a_server_does_not_learn_the_id_of_a_task_and_gets_the_same_key_with_each_attempt() throws Exception {
        tool.run(run);
        tool.run(run);
        assertThat(foreign.called())
                .hasSize(2)
                .allSatisfy(call -> assertThat(call)
                        .contains("\"io.longhaul/creation-key\":\"" + RunHandles.key(run) + "\"")
                        .doesNotContain(id));
    }
}
