// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.server.FileServer;
import io.longhaul.file.ServerFile;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebReply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file with limits of each kind, served as {@code serve} does: each limit is met by a client over HTTP. */
@Timeout(60)
class ServedLimitsTest {
    private static final String LISTEN = "{\"notifications\":{\"toolsListChanged\":true}}";
    private static final Pattern NEXT = Pattern.compile("\"nextResumeToken\":(\"[^\"]+\")");

    @TempDir
    Path folder;

    private FileServer server;
    private StatelessClient<WebReply> client;

    @BeforeEach
    void serve() throws IOException {
        var file = ServerFile.read(Files.writeString(folder.resolve("tools.yaml"), """
                limits: {messageBytes: 1KB, listsPerMinute: 1, subscriptions: 1, partWait: 1ms}
                tools:
                  wait:
                    command: [sh, -c, 'for i in $(seq 80); do test -e go && exit; sleep 0.1; done']
                    partial: first
                    resume: {always: true}
                """));
        var options = ServeOptions.of(Arguments.parse(List.of("tools.yaml", "--http", "0"), ServeOptions.ALL));
        var http = HttpSetup.http(options, file, Map.of());
        server = FileServer.start(file, new DataFolder(folder.resolve("data"), DataKeys.NONE), http);
        client = StatelessClient.to(http.url(), "{}");
    }

    @AfterEach
    void stop() throws IOException {
        Files.writeString(folder.resolve("go"), "");
        server.close();
    }

    @Test
    void a_body_over_the_limit_of_the_file_is_refused() throws Exception {
        var response = client.call("wait", "{\"x\":\"" + "x".repeat(1 << 10) + "\"}");
        assertThat(response.status()).as(response.response()).isEqualTo(413);
    }

    @Test
    void lists_over_the_rate_of_the_file_are_refused_with_the_time_to_wait() throws Exception {
        assertThat(client.send("tools/list", "{}").status()).isEqualTo(200);
        var response = client.send("tools/list", "{}");
        assertThat(response.status()).isEqualTo(429);
        assertThat(response.header("Retry-After").map(Long::valueOf)).isPresent();
    }

    @Test
    void subscriptions_over_the_limit_of_the_file_are_refused() throws Exception {
        try (var first = client.send("subscriptions/listen", LISTEN)) {
            assertThat(first.next()).isPresent();
            assertThat(client.send("subscriptions/listen", LISTEN).response()).contains("-32603", "subscriptions");
        }
    }

    /** The work ends before the wait that is usual, so that a call which waits so long has no token. */
    @Test
    void a_call_waits_for_a_part_no_longer_than_the_file_says() throws Exception {
        var first = NEXT.matcher(client.call("wait", "{}").response());
        assertThat(first.find()).isTrue();
        assertThat(client.call("wait", "{},\"resumeToken\":" + first.group(1)).response())
                .containsPattern(NEXT);
    }
}
