// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.longhaul.engine.task.Outcome;
import io.longhaul.testkit.Certificates;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Handshakes with a server that has a certificate, and with one that wants to see one. */
@Timeout(120)
class EncryptedTemporalTest {

    @TempDir
    private static Path folder;

    private static Certificates certificates;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final TemporalBackend backend = ScriptedTemporal.backend(now);
    private ScriptedTemporal temporal;

    @BeforeAll
    static void make() throws Exception {
        certificates = Certificates.in(folder);
    }

    @AfterEach
    void end() throws InterruptedException {
        backend.close();
        temporal.close();
    }

    private WorkflowJob.Builder served(ClientAuth auth) throws IOException {
        var context = GrpcSslContexts.forServer(
                        certificates.certificate("server").toFile(),
                        certificates.key("server").toFile())
                .trustManager(certificates.certificate("authority").toFile())
                .clientAuth(auth);
        temporal = new ScriptedTemporal(context.build());
        return Temporal.workflow("Report")
                .taskQueue("reports")
                .address(temporal.address())
                .patience(Duration.ofMillis(1));
    }

    private Outcome run(WorkflowJob.Builder job) throws Exception {
        return backend.running(job.build(), TemporalBackendTest.JSON, TemporalBackendTest.TEXT)
                .run(new RunInMemory("{}"));
    }

    private static void assertDone(Outcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Result.class,
                        result -> assertThat(result.body().text()).isEqualTo("done"));
    }

    @Test
    void a_server_is_trusted_whose_authority_the_author_names() throws Exception {
        assertDone(run(served(ClientAuth.OPTIONAL).authority(certificates.certificate("authority"))));
        assertThat(temporal.peers).containsOnly("nobody");
    }

    @Test
    void a_server_of_an_unknown_authority_is_told_nothing() throws Exception {
        assertThat(run(served(ClientAuth.NONE).tls())).isInstanceOf(Outcome.Failed.class);
        assertThat(temporal.headers).isEmpty();
    }

    @Test
    void a_server_that_wants_a_certificate_is_shown_one() throws Exception {
        var job = served(ClientAuth.REQUIRE)
                .authority(certificates.certificate("authority"))
                .identity(certificates.certificate("client"), certificates.key("client"));
        assertDone(run(job));
        assertThat(temporal.peers).containsOnly("CN=client");
    }

    @Test
    void a_server_that_wants_a_certificate_does_not_answer_without() throws Exception {
        assertThat(run(served(ClientAuth.REQUIRE).authority(certificates.certificate("authority"))))
                .isInstanceOf(Outcome.Failed.class);
        assertThat(temporal.starts).isEmpty();
    }

    @Test
    void a_key_goes_out_with_each_request_and_is_read_for_each() throws Exception {
        var keys = new AtomicInteger();
        var job = served(ClientAuth.NONE)
                .authority(certificates.certificate("authority"))
                .apiKey(() -> "key-" + keys.incrementAndGet());
        assertDone(run(job));
        var authorization = Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
        var sent = temporal.headers.stream().map(it -> it.get(authorization)).toList();
        assertThat(sent).doesNotHaveDuplicates().allMatch(key -> key.matches("Bearer key-\\d+"));
    }

    @Test
    void a_file_without_certificates_starts_nothing() throws Exception {
        var empty = Files.writeString(folder.resolve("none.pem"), "not one\n");
        for (var file : List.of(empty, folder.resolve("missing.pem"))) {
            var outcome = run(served(ClientAuth.NONE).authority(file));
            temporal.close();
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Result.class,
                            result -> assertThat(result.body().text()).contains("lacks a secret or a file"));
            assertThat(temporal.starts).isEmpty();
        }
    }
}
