// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AnnotatedServerTest {
    @TempDir
    Path folder;

    private record Primes(List<Integer> primes, int inAll) {}

    @Test
    void methods_of_a_plain_class_are_called() throws Exception {
        var http = Http.onPort(0);
        try (var server = AnnotatedServer.start(folder.resolve("numbers.db"), http);
                var client = McpClient.to(http.url()).connect()) {
            var primes = client.call("primes", Map.of("below", 30, "count", 3)).as(Primes.class);
            assertThat(primes.await()).isEqualTo(new Primes(List.of(19, 23, 29), 10));
            assertThat(client.call("primes", Map.of("below", 1)).await()).isInstanceOf(CallOutcome.ToolError.class);
            var factorial = client.call("factorial", Map.of("number", 25)).as(String.class);
            assertThat(factorial.await()).contains("15511210043330985984000000");
        }
    }
}
