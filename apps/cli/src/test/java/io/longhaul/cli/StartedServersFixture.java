// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import io.longhaul.cli.terminal.TestTerminal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Commands of a user whose servers are real processes. */
public abstract class StartedServersFixture {

    @TempDir
    protected Path folder;

    protected StartedServers servers;

    /** Who has typed the last command. */
    protected TestTerminal user;

    @BeforeEach
    void begin() {
        servers = new StartedServers(folder);
    }

    @AfterEach
    void stop() {
        servers.close();
    }

    protected int run(TestTerminal at, String... line) {
        user = at;
        return new Cli(at.terminal()).run(List.of(line));
    }

    protected int run(String... line) {
        return run(servers.user(), line);
    }
}
