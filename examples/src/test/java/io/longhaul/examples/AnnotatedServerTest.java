package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.protocol.json.Json;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AnnotatedServerTest {
    @TempDir
    Path folder;

    @Test
    void methods_of_a_plain_class_are_called() throws Exception {
        var http = Http.onPort(0);
        try (var server = AnnotatedServer.start(folder.resolve("numbers.db"), http);
                var client = McpClient.to(http.url()).connect()) {
            assertThat(result(client, "primes", "{\"below\":30,\"count\":3}"))
                    .contains("\"structuredContent\":{\"primes\":[19,23,29],\"inAll\":10}");
            assertThat(result(client, "primes", "{\"below\":1}")).contains("\"isError\":true");
            assertThat(result(client, "factorial", "{\"number\":25}")).contains("15511210043330985984000000");
        }
    }

    private static String result(McpClient client, String tool, String arguments) throws Exception {
        var outcome = client.call(tool, Json.raw(arguments)).await();
        return ((CallOutcome.ToolResult) outcome).result().toString();
    }
}
