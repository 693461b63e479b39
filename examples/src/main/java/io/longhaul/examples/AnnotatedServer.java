// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.McpServer;
import io.longhaul.server.TaskContext;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpParam;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** A server whose tools are the methods of a plain class: a quick one, and a long one that goes on after a crash. */
public final class AnnotatedServer {
    private AnnotatedServer() {}

    enum Order {
        FIRST,
        LAST
    }

    record Primes(@McpParam(description = "In rising order") List<Integer> primes, int inAll) {}

    static final class Numbers {

        @McpTool(
                name = "primes",
                title = "Prime numbers",
                description = "Finds the primes below a limit, and tells the first or the last of them.",
                annotations = @McpTool.McpAnnotations(readOnlyHint = true, openWorldHint = false))
        Primes primes(
                @McpParam(description = "All primes are smaller", minimum = 2, maximum = 1_000_000) int below,
                @McpParam(description = "How many are told", minimum = 1, maximum = 100, defaultValue = "10") int count,
                @McpParam(defaultValue = "LAST") Order order) {
            var all = IntStream.range(2, below)
                    .filter(number -> BigInteger.valueOf(number).isProbablePrime(20))
                    .boxed()
                    .toList();
            int told = Math.min(count, all.size());
            return new Primes(
                    order == Order.FIRST ? all.subList(0, told) : all.subList(all.size() - told, all.size()),
                    all.size());
        }

        @McpTool(name = "factorial", description = "Multiplies all numbers up to one, a hundred in a step.")
        @McpLongRunning(onCrash = CrashPolicy.RESTART, timeout = "10m", keepFor = "24h")
        String factorial(@McpParam(minimum = 1, maximum = 20_000) int number, TaskContext task) throws Exception {
            var product = BigInteger.ONE;
            for (int from = 1; from <= number; from += 100) {
                int first = from;
                int last = Math.min(from + 99, number);
                product = product.multiply(task.step("from " + first, BigInteger.class, () -> product(first, last)));
                task.progress(last, number, "up to " + last);
            }
            return product.toString();
        }

        private static BigInteger product(int first, int last) {
            return IntStream.rangeClosed(first, last)
                    .mapToObj(BigInteger::valueOf)
                    .reduce(BigInteger.ONE, BigInteger::multiply);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var http = Http.onPort(args.length > 0 ? Integer.parseInt(args[0]) : 8080);
        try (var server = start(Path.of(args.length > 1 ? args[1] : "numbers.db"), http)) {
            System.err.println("numbers are found at " + http.url());
            server.awaitEnd();
        }
    }

    static McpServer start(Path database, Http http) {
        return McpServer.builder("numbers", "1.0")
                .toolsOf(new Numbers())
                .store(SqliteTaskStore.at(database))
                .serve(http);
    }
}
