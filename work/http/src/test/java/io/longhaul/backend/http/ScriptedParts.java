// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Starts;
import io.longhaul.testkit.RunInMemory;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** What tests of one job of a scripted API have in common. */
@Timeout(60)
abstract class ScriptedParts {

    final RunInMemory run = new RunInMemory("{}");
    ScriptedApi api;
    HttpBackend backend;

    @BeforeEach
    void begin() throws IOException {
        api = new ScriptedApi();
        backend = ScriptedApi.backend(new Starts<>());
    }

    @AfterEach
    void end() {
        backend.close();
        api.close();
    }

    Backend running(HttpJob.Builder job) {
        return backend.running(job.build(), HttpBackendContract.JSON, HttpBackendContract.TEXT);
    }
}
