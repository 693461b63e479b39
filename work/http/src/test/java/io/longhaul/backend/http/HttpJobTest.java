// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.testkit.RunInMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class HttpJobTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://example.com/",
                "/jobs",
                "https://{host}/jobs",
                "https://example.com{path}",
                "{all}",
                "https://user:secret@example.com/",
                "https://example.com/#part",
                "https://example.com/{a",
                "https://example.com/a b"
            })
    void an_address_that_is_none_or_lets_a_caller_choose_the_host_is_refused(String address) {
        assertThatIllegalArgumentException().isThrownBy(() -> HttpJob.at(address));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host", "content-length", "bad name", "", "a\nb"})
    void a_header_that_is_of_the_connection_is_refused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpJob.at("https://example.com/").header(name, "x"));
    }

    @Test
    void what_makes_no_sense_is_refused() {
        var job = HttpJob.at("https://example.com/jobs");
        assertThatIllegalArgumentException().isThrownBy(() -> job.method("TRACE"));
        assertThatIllegalArgumentException().isThrownBy(() -> job.id("id"));
        assertThatIllegalArgumentException().isThrownBy(() -> job.host("https://example.com/path"));
        assertThatIllegalArgumentException().isThrownBy(() -> job.maxResult(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new JobStates(Set.of("Done"), Set.of("done"), Set.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new JobStates(Set.of(), Set.of("failed"), Set.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpJob.at("https://example.com/{job.id}").build());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpJob.at("https://example.com/")
                        .resultAt("https://example.com/r")
                        .resultLink("/r")
                        .build());
    }

    /** What the page on HTTP shows. */
    @Test
    void a_job_is_told_to_a_builder() {
        ArgumentReader<ObjectNode> reader = HttpBackendContract.JSON;
        HttpOutcomes writer = HttpBackendContract.TEXT;
        var jobs = HttpBackend.create();
        var build = HttpJob.at("https://ci.example.com/api/builds")
                .header(
                        "Authorization",
                        "Bearer ",
                        () -> Files.readString(Path.of("token")).strip())
                .idempotencyKey("Idempotency-Key")
                .id("/id")
                .status("https://ci.example.com/api/builds/{job.id}")
                .cancel("DELETE", "https://ci.example.com/api/builds/{job.id}")
                .build();
        Backend backend = jobs.running(build, reader, writer);
        assertThat(backend.cancelled(new RunInMemory("{}"), "enough")).isEqualTo("enough");
        jobs.close();
    }
}
