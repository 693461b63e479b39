// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of real jobs begin with. */
abstract class JobTest {

    @TempDir
    Path home;

    Jobs jobs;

    @BeforeEach
    final void start() throws IOException {
        jobs = new Jobs(home);
    }
}
