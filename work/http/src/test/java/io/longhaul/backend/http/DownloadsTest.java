// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.backend.http.address.Downloads;
import io.longhaul.backend.http.address.ResultLink;
import io.longhaul.backend.http.address.TimedDownloads;
import io.longhaul.backend.http.exchange.JobConnections;
import io.longhaul.engine.run.RemoteResult;
import io.longhaul.engine.run.Starts;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callers get in place of a result that is downloaded, and what they read there. */
@Timeout(60)
class DownloadsTest {

    private static final URI BASE = URI.create("https://tools.example.com/longhaul/");
    private static final TaskId TASK = TaskId.of(1, 2, 3);
    private static final Duration LIFE = Duration.ofHours(1);
    private static final byte[] PIECE = "0123456789abcdef".repeat(4096).getBytes(UTF_8);
    private static final int PIECES = 1024;
    private static final String PLACE = "/builds/7/archive.tar";

    /** Answers a GET of the result. */
    @FunctionalInterface
    private interface ResultApi {
        void answer(HttpExchange exchange) throws IOException;
    }

    /** Keeps the last link that a job was given. */
    private static final class Writer implements HttpOutcomes {
        private final AtomicReference<ResultLink> link = new AtomicReference<>();

        @Override
        public Outcome write(RemoteResult end) {
            return HttpBackendContract.TEXT.write(end);
        }

        @Override
        public Outcome linked(ResultLink given) {
            link.set(given);
            return HttpOutcomes.super.linked(given);
        }
    }

    private final RowStore rows = new MemoryTaskStore().rows();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final Downloads downloads = downloads();
    private final Writer writer = new Writer();
    private final List<Map.Entry<String, String>> asked = new ArrayList<>();
    private volatile ResultApi result = DownloadsTest::large;
    private LocalHttp api;
    private HttpBackend backend;

    @BeforeEach
    void begin() throws IOException {
        api = new LocalHttp("/", this::serve);
        backend = backend(downloads);
    }

    @AfterEach
    void end() {
        backend.close();
        api.close();
    }

    private Downloads downloads() {
        return TimedDownloads.at(BASE, rows, now::get);
    }

    private static HttpBackend backend(Downloads downloads) {
        return new HttpBackend(new HttpBackend.Machinery(
                new JobConnections(4, Duration.ofSeconds(10)),
                new Starts<>(),
                (time, sooner) -> false,
                () -> Instant.EPOCH,
                () -> 0.5,
                new HttpBackend.Addresses(null, downloads)));
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            switch (path) {
                case "/builds" -> say(exchange, 202, "{\"id\":\"7\"}");
                case "/builds/7" -> say(exchange, 200, "{\"state\":\"done\"}");
                default -> {
                    synchronized (asked) {
                        exchange.getRequestHeaders()
                                .forEach((name, values) -> asked.add(Map.entry(name, values.getFirst())));
                    }
                    result.answer(exchange);
                }
            }
        }
    }

    private static void say(HttpExchange exchange, int status, String body) throws IOException {
        exchange.sendResponseHeaders(status, body.length());
        exchange.getResponseBody().write(body.getBytes(UTF_8));
    }

    /** 64 MiB, of which a reader that leaves early takes a little. */
    private static void large(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "application/x-tar; charset=binary");
        exchange.getResponseHeaders().add("Set-Cookie", "session=of-the-api");
        exchange.sendResponseHeaders(200, (long) PIECE.length * PIECES);
        for (int i = 0; i < PIECES; i++) {
            exchange.getResponseBody().write(PIECE);
        }
    }

    private HttpJob.Builder builds() {
        return HttpJob.at(api.origin() + "/builds")
                .header("X-Team", "{team}")
                .header("Authorization", "Bearer ", () -> "s3cret")
                .id("/id")
                .status(api.origin() + "/builds/{job.id}")
                .state("/state", JobStates.USUAL)
                .resultAt(api.origin() + "/builds/{job.id}/archive.tar")
                .download("build", LIFE);
    }

    private String said(HttpJob job) throws Exception {
        var run = new RunInMemory(TASK, "{\"team\":\"core\"}");
        var outcome = backend.running(job, HttpBackendContract.JSON, writer).run(run);
        return ((Outcome.Result) outcome).body().text();
    }

    /** What stands behind the path in the address that a call has got. */
    private String rest() throws Exception {
        said(builds().build());
        var address = Objects.requireNonNull(writer.link.get()).uri().toString();
        assertThat(address).startsWith("https://tools.example.com/longhaul/results/");
        return address.substring("https://tools.example.com/longhaul/results/".length());
    }

    private Downloads.Found.Result open(String rest) {
        try {
            return (Downloads.Found.Result) downloads.open(rest, null);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long length(InputStream body) throws IOException {
        var buffer = new byte[1 << 16];
        long length = 0;
        for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
            length += count;
        }
        return length;
    }

    @Test
    void a_call_gets_an_address_in_place_of_a_result_that_is_longer_than_any_answer_may_be() throws Exception {
        assertThat(said(builds().maxResult(1000).build())).contains("The result is at " + BASE + "results/");
        assertThat(writer.link.get())
                .returns(TASK, ResultLink::task)
                .returns("archive.tar", ResultLink::name)
                .returns("application/x-tar", ResultLink::mediaType)
                .returns((long) PIECE.length * PIECES, ResultLink::size)
                .returns(Instant.EPOCH.plus(LIFE), ResultLink::until);
        assertThat(writer.link.get().uri().toString())
                .matches("https://tools.example.com/longhaul/results/[A-Za-z0-9_-]{32}")
                .doesNotContain(TASK.value());
    }

    @Test
    void the_result_flows_through_whole_with_the_credentials_of_the_job_and_the_headers_of_its_call() throws Exception {
        var rest = rest();
        asked.clear();
        var found = open(rest);
        try (var body = found.body()) {
            assertThat(length(body)).isEqualTo((long) PIECE.length * PIECES);
        }
        assertThat(found.status()).isEqualTo(200);
        assertThat(asked).contains(Map.entry("Authorization", "Bearer s3cret"), Map.entry("X-team", "core"));
    }

    @Test
    void a_page_of_the_api_can_do_nothing_in_a_browser_and_sets_no_cookie() throws Exception {
        var found = open(rest());
        found.body().close();
        assertThat(found.headers())
                .containsEntry("Content-Type", "application/x-tar; charset=binary")
                .containsEntry("Content-Disposition", "attachment")
                .containsEntry("X-Content-Type-Options", "nosniff")
                .containsEntry("Content-Security-Policy", "default-src 'none'; sandbox")
                .doesNotContainKey("Set-Cookie");
    }

    @Test
    void a_part_is_asked_for_as_the_caller_has_asked() throws Exception {
        var rest = rest();
        result = exchange -> {
            exchange.getResponseHeaders().add("Content-Range", "bytes 4-7/10");
            say(exchange, 206, "part");
        };
        asked.clear();
        var found = (Downloads.Found.Result) downloads.open(rest, "bytes=4-7");
        try (var body = found.body()) {
            assertThat(length(body)).isEqualTo(4);
        }
        assertThat(found.status()).isEqualTo(206);
        assertThat(found.headers()).containsEntry("Content-Range", "bytes 4-7/10");
        assertThat(asked).contains(Map.entry("Range", "bytes=4-7"));
    }

    @Test
    void an_address_that_was_not_given_out_is_unknown() throws Exception {
        var rest = rest();
        for (var other : List.of("", "/", rest + "A", rest.substring(1), "../" + rest, "ä".repeat(32))) {
            assertThat(downloads.open(other, null)).as(other).isInstanceOf(Downloads.Found.Unknown.class);
        }
    }

    @Test
    void an_address_ends_after_its_time() throws Exception {
        var rest = rest();
        now.set(Instant.EPOCH.plus(LIFE).minusMillis(1));
        open(rest).body().close();
        now.set(Instant.EPOCH.plus(LIFE));
        assertThat(downloads.open(rest, null)).isInstanceOf(Downloads.Found.Unknown.class);
    }

    @Test
    void an_address_ends_with_its_task() throws Exception {
        var rest = rest();
        downloads.whileKept(task -> !task.equals(TASK));
        assertThat(downloads.open(rest, null)).isInstanceOf(Downloads.Found.Unknown.class);
    }

    @Test
    void the_next_server_knows_what_this_one_has_given_once_it_has_the_tool() throws Exception {
        var rest = rest();
        var next = downloads();
        assertThat(next.open(rest, null)).isInstanceOf(Downloads.Found.Unknown.class);
        try (var server = backend(next)) {
            server.admit(builds().build());
            var found = (Downloads.Found.Result) next.open(rest, null);
            found.body().close();
            assertThat(found.status()).isEqualTo(200);
        }
    }

    @Test
    void what_the_api_has_no_more_is_gone_and_what_it_refuses_is_said_without_its_words() throws Exception {
        var rest = rest();
        result = exchange -> say(exchange, 404, "internal detail");
        assertThat(downloads.open(rest, null))
                .isEqualTo(new Downloads.Found.Failed(true, "The API does not have this result any more."));
        result = exchange -> say(exchange, 403, "internal detail");
        assertThat(downloads.open(rest, null))
                .isEqualTo(new Downloads.Found.Failed(false, "The API answers 403 where the result is."));
        api.close();
        assertThat(downloads.open(rest, null))
                .isEqualTo(new Downloads.Found.Failed(
                        false, "The API does not give the result now: the API cannot be reached. Try again later."));
    }

    @Test
    void no_host_is_called_that_the_job_does_not_name() throws Exception {
        var rest = rest();
        result = exchange -> {
            exchange.getResponseHeaders().add("Location", "http://localhost:1/elsewhere");
            exchange.sendResponseHeaders(302, -1);
        };
        assertThat(downloads.open(rest, null)).isInstanceOf(Downloads.Found.Failed.class);
    }

    @Test
    void a_redirect_to_a_host_of_the_job_is_followed() throws Exception {
        var rest = rest();
        result = exchange -> {
            if (exchange.getRequestURI().getPath().equals(PLACE)) {
                exchange.getResponseHeaders().add("Location", "/elsewhere");
                exchange.sendResponseHeaders(302, -1);
            } else {
                say(exchange, 200, "there");
            }
        };
        try (var body = open(rest).body()) {
            assertThat(length(body)).isEqualTo(5);
        }
    }

    @Test
    void as_many_are_read_at_once_as_may_be_and_a_place_is_free_again_when_one_is_left() throws Exception {
        var open = new ArrayList<Downloads.Found.Result>();
        while (open.size() < Downloads.MOST) {
            open.addAll(opened(rest()));
        }
        var rest = rest();
        assertThat(downloads.open(rest, null)).isInstanceOf(Downloads.Found.Busy.class);
        open.getFirst().body().close();
        open(rest).body().close();
        close(open);
    }

    /** One result, opened as often as may be. */
    private List<Downloads.Found.Result> opened(String rest) {
        return Stream.generate(() -> open(rest))
                .limit(TimedDownloads.MOST_OF_RESULT)
                .toList();
    }

    private static void close(List<Downloads.Found.Result> open) throws IOException {
        for (var found : open) {
            found.body().close();
        }
    }

    @Test
    void who_reads_one_result_slowly_and_again_leaves_the_others_their_places() throws Exception {
        var rest = rest();
        var open = opened(rest);
        assertThat(downloads.open(rest, null)).isInstanceOf(Downloads.Found.Busy.class);
        open(rest()).body().close();
        close(open);
        close(opened(rest));
    }

    @Test
    void an_api_that_does_not_answer_in_time_is_told_so() throws Exception {
        said(builds().timeout(Duration.ofMillis(300)).build());
        var address = writer.link.get().uri().toString();
        var left = new CountDownLatch(1);
        result = exchange -> await(left);
        try {
            assertThat(downloads.open(address.substring(address.lastIndexOf('/') + 1), null))
                    .isEqualTo(new Downloads.Found.Failed(
                            false,
                            "The API does not give the result now: no answer came within 300 ms, the timeout of http."
                                    + " Try again later."));
        } finally {
            left.countDown();
        }
    }

    @Test
    void an_api_that_falls_silent_is_given_up() throws Exception {
        said(builds().timeout(Duration.ofMillis(300)).build());
        var address = writer.link.get().uri().toString();
        var rest = address.substring(address.lastIndexOf('/') + 1);
        var left = new CountDownLatch(1);
        result = exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write("some".getBytes(UTF_8));
            exchange.getResponseBody().flush();
            await(left);
        };
        try (var body = open(rest).body()) {
            assertThatIOException().isThrownBy(() -> length(body)).withMessageContaining("nothing came for");
        } finally {
            left.countDown();
        }
    }

    @Test
    void a_result_that_breaks_off_is_no_whole_one() throws Exception {
        var rest = rest();
        result = exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write("some".getBytes(UTF_8));
            exchange.getResponseBody().flush();
        };
        try (var body = open(rest).body()) {
            assertThatIOException().isThrownBy(() -> length(body));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_result_that_is_not_there_when_its_job_is_done_is_no_link() throws Exception {
        result = exchange -> say(exchange, 404, "{\"message\":\"no artifact\"}");
        assertThat(said(builds().build())).contains("its result cannot be read: it answers 404: no artifact");
        assertThat(writer.link.get()).isNull();
    }

    @Test
    void a_server_without_an_address_and_a_result_inside_of_an_answer_are_refused() {
        try (var without = HttpBackend.create()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> without.admit(builds().build()))
                    .withMessageContaining("serve it over HTTP");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builds().result("/log").build())
                .withMessageContaining("has no place in it");
    }
}
